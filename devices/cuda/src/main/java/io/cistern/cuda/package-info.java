/** CUDA devices ({@link io.cistern.cuda.CudaStorage}). */
@NullMarked
package io.cistern.cuda;

import org.jspecify.annotations.NullMarked;
