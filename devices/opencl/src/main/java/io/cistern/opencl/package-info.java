/**
 * OpenCL devices. {@link io.cistern.opencl.OpenClStorage} gives blocks, {@link
 * io.cistern.opencl.OpenClSlice} makes an allocation a buffer for kernels, {@link
 * io.cistern.opencl.OpenClQueue} copies and fills, {@link io.cistern.opencl.OpenClFence} tells a
 * pool when device work is done.
 */
@NullMarked
package io.cistern.opencl;

import org.jspecify.annotations.NullMarked;
