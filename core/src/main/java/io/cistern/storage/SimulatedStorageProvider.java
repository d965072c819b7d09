package io.cistern.storage;

import java.util.List;

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
  public List<DeviceProperties> devices() {
    return List.of(SimulatedStorage.open(StorageOptions.DEFAULT).properties());
  }

  @Override
  public Storage open(StorageOptions options) {
    return SimulatedStorage.open(options);
  }
}
