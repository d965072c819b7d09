/**
 * The driver's functions as one table: CUDA and HIP give their names and numbers ({@link
 * io.cistern.gpu.driver.GpuDialect}), and the table calls them ({@link
 * io.cistern.gpu.driver.GpuDriver}). Internal.
 */
@NullMarked
package io.cistern.gpu.driver;

import org.jspecify.annotations.NullMarked;
