package io.cistern.storage;

import java.util.List;
import java.util.Map;

/** Finds the simulated device, of which there is always one. */
public final class SimulatedStorageProvider implements StorageProvider {

  static final String NAME = "simulated";

  /** For {@link java.util.ServiceLoader}. */
  public SimulatedStorageProvider() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public DeviceList devices() {
    return DeviceList.of(
        List.of(
            new DeviceInfo(
                SimulatedStorage.open(StorageOptions.DEFAULT).properties(),
                "none: addresses alone",
                Map.of(),
                Map.of())));
  }

  @Override
  public Storage open(StorageOptions options) {
    return SimulatedStorage.open(options);
  }
}
