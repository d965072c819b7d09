package io.cistern.benchmarks;

import io.cistern.storage.DeviceList;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageOptions;
import io.cistern.storage.StorageProvider;
import java.util.Optional;
import java.util.ServiceLoader;

/** The devices to measure, found by their kind. */
public final class Devices {

  private Devices() {}

  /** Why there is no device of a kind; empty if there is one. */
  static Optional<String> whyNone(String kind) {
    Optional<DeviceList> found = provider(kind).map(StorageProvider::devices);
    return found.isEmpty()
        ? Optional.of("no module for devices of kind " + kind + " is on the class path")
        : Optional.of(found.get().whyNone()).filter(why -> !why.isEmpty());
  }

  /**
   * Opens the first device of a kind.
   *
   * @throws IllegalStateException if there is none; says why
   */
  public static Storage open(String kind) {
    whyNone(kind)
        .ifPresent(
            why -> {
              throw new IllegalStateException("no device " + kind + ": " + why);
            });
    return provider(kind).orElseThrow().open(StorageOptions.DEFAULT);
  }

  private static Optional<StorageProvider> provider(String kind) {
    return ServiceLoader.load(StorageProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.name().equals(kind))
        .findFirst();
  }
}
