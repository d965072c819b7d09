package io.cistern.cuda;

import io.cistern.gpu.GpuStorage;
import io.cistern.storage.StorageOptions;

/**
 * Opens CUDA devices, by their driver {@code libcuda.so.1}, or the library that the system property
 * {@code cistern.cuda.library} names.
 *
 * <p>The device's primary context is retained while a storage is open: the one that CUDA's runtime
 * and the libraries on it use too.
 */
public final class CudaStorage {

  private CudaStorage() {}

  /**
   * Opens the first device as it is.
   *
   * @throws IllegalArgumentException if there is none; says why
   * @throws IllegalCallerException if native access is not enabled and that is an error
   */
  public static GpuStorage open() {
    return open(StorageOptions.DEFAULT);
  }

  /**
   * Opens a device.
   *
   * @param options which device, and what to change about it, as {@link GpuStorage} lists it
   * @throws IllegalArgumentException if there is no such device, or it can't be had with these
   *     options; says why
   * @throws IllegalCallerException if native access is not enabled and that is an error
   */
  public static GpuStorage open(StorageOptions options) {
    return GpuStorage.open(Cuda.DIALECT, options);
  }
}
