package io.cistern.opencl;

import io.cistern.storage.DeviceList;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageOptions;
import io.cistern.storage.StorageProvider;

/** Finds the OpenCL devices of all platforms. Immutable; safe for many threads. */
public final class OpenClStorageProvider implements StorageProvider {

  static final String NAME = "opencl";

  /** For {@link java.util.ServiceLoader}. */
  public OpenClStorageProvider() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public DeviceList devices() {
    OpenClDevices found = OpenClDevices.find();
    return new DeviceList(
        found.devices().stream().map(OpenClDevice::info).toList(), found.whyNone());
  }

  /**
   * Opens a device.
   *
   * @throws IllegalArgumentException as {@link OpenClStorage#open(StorageOptions)} does
   */
  @Override
  public Storage open(StorageOptions options) {
    return OpenClStorage.open(options);
  }
}
