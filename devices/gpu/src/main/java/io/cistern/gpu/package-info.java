/**
 * The memory of CUDA and HIP devices ({@link io.cistern.gpu.GpuStorage}), their streams ({@link
 * io.cistern.gpu.GpuStream}), and graphs over pooled slices ({@link io.cistern.gpu.GpuGraph}).
 */
@NullMarked
package io.cistern.gpu;

import org.jspecify.annotations.NullMarked;
