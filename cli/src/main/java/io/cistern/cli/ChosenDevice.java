package io.cistern.cli;

import io.cistern.storage.DeviceInfo;
import io.cistern.storage.DeviceList;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageOptions;
import io.cistern.storage.StorageProvider;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/**
 * A device and how to open it.
 *
 * @param name the device as the user named it
 * @param provider who opens it
 * @param options how
 */
record ChosenDevice(String name, StorageProvider provider, StorageOptions options) {

  /** What GPU runtimes align to. */
  private static final long DEFAULT_ALIGNMENT = 256;

  /** The kinds of devices that were found, by name. */
  static List<StorageProvider> kinds() {
    return ServiceLoader.load(StorageProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.comparing(StorageProvider::name))
        .toList();
  }

  /**
   * A device by its kind, and its index if it is not the first.
   *
   * @throws WrongUseException if there is no such device
   */
  static ChosenDevice named(String name) {
    int colon = name.indexOf(':');
    String kind = colon < 0 ? name : name.substring(0, colon);
    int index = colon < 0 ? 0 : index(name, name.substring(colon + 1));
    List<StorageProvider> kinds = kinds();
    StorageProvider provider =
        kinds.stream()
            .filter(candidate -> candidate.name().equals(kind))
            .findFirst()
            .orElseThrow(() -> new WrongUseException(unknown(kind, kinds)));
    DeviceList found = provider.devices();
    List<DeviceInfo> devices = found.devices();
    if (devices.isEmpty()) {
      throw new WrongUseException("there is no device of kind " + kind + ": " + found.whyNone());
    }
    if (index >= devices.size()) {
      throw new WrongUseException(
          "there is no device " + kind + ":" + index + "; found of this kind: " + devices.size());
    }
    long alignment = Math.max(DEFAULT_ALIGNMENT, devices.get(index).properties().byteAlignment());
    return new ChosenDevice(
        name, provider, StorageOptions.DEFAULT.withIndex(index).withByteAlignment(alignment));
  }

  private static int index(String name, String text) {
    if (!text.matches("[0-9]{1,9}")) {
      throw new WrongUseException(
          "\"" + name + "\" names no device: behind the colon is a number, such as in host:0");
    }
    return Integer.parseInt(text);
  }

  private static String unknown(String kind, List<StorageProvider> kinds) {
    return "unknown device \""
        + kind
        + "\"; there are "
        + kinds.stream().map(StorageProvider::name).collect(Collectors.joining(", "));
  }

  /** This device, opened in another way. */
  ChosenDevice with(StorageOptions how) {
    return new ChosenDevice(name, provider, how);
  }

  /**
   * Opens the device.
   *
   * @throws WrongUseException if it can't be had with these options
   */
  Storage open() {
    try {
      return provider.open(options);
    } catch (IllegalArgumentException e) {
      throw new WrongUseException("device " + name + " can't be opened: " + e.getMessage(), e);
    }
  }

  /** What the device is when it is opened. */
  DeviceProperties properties() {
    try (Storage storage = open()) {
      return storage.properties();
    }
  }
}
