package io.cistern.host;

import io.cistern.storage.DeviceInfo;
import io.cistern.storage.DeviceList;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageOptions;
import io.cistern.storage.StorageProvider;
import java.util.List;

/** Finds the host's memory, of which there is always one. Immutable; safe for many threads. */
public final class HostStorageProvider implements StorageProvider {

  static final String NAME = "host";

  /** For {@link java.util.ServiceLoader}. */
  public HostStorageProvider() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public DeviceList devices() {
    try (HostStorage storage = HostStorage.open()) {
      return DeviceList.of(
          List.of(
              new DeviceInfo(
                  storage.properties(),
                  system(),
                  HostLimits.of(HostSystem.current()),
                  HostMemoryOptions.SETTINGS)));
    }
  }

  private static String system() {
    return System.getProperty("os.name") + " " + System.getProperty("os.version");
  }

  /**
   * Opens the host's memory.
   *
   * @throws IllegalArgumentException as {@link HostStorage#open(StorageOptions)} does
   */
  @Override
  public Storage open(StorageOptions options) {
    return HostStorage.open(options);
  }
}
