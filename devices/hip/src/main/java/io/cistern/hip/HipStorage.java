package io.cistern.hip;

import io.cistern.gpu.GpuStorage;
import io.cistern.storage.StorageOptions;

/**
 * Opens HIP devices, by their runtime {@code libamdhip64.so}, or the library that the system
 * property {@code cistern.hip.library} names.
 *
 * <p>HIP keeps the context of a device until the process ends; a storage retains and releases none.
 */
public final class HipStorage {

  private HipStorage() {}

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
    return GpuStorage.open(Hip.DIALECT, options);
  }
}
