package io.cistern.storage;

import io.cistern.MemorySize;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which device of a kind to open, and what to change about it.
 *
 * @param index the device, from 0
 * @param byteAlignment the alignment of slices in bytes; empty: the device's own
 * @param maxPageSize the hint for presets; empty: a quarter of the memory
 * @param capacity a limit on the bytes handed out at once; empty: the device's memory
 * @param settings what only this kind of device has, by the names that its documentation gives;
 *     copied
 */
public record StorageOptions(
    int index,
    OptionalLong byteAlignment,
    Optional<MemorySize> maxPageSize,
    Optional<MemorySize> capacity,
    Map<String, String> settings) {

  /** The first device of a kind, as it is. */
  public static final StorageOptions DEFAULT =
      new StorageOptions(0, OptionalLong.empty(), Optional.empty(), Optional.empty(), Map.of());

  /**
   * Makes the options.
   *
   * @throws NullPointerException if an argument is null
   */
  public StorageOptions {
    settings = Map.copyOf(settings);
  }

  /** These options for another device. */
  public StorageOptions withIndex(int device) {
    return new StorageOptions(device, byteAlignment, maxPageSize, capacity, settings);
  }

  /** These options with an alignment of slices, in bytes. */
  public StorageOptions withByteAlignment(long alignment) {
    return new StorageOptions(index, OptionalLong.of(alignment), maxPageSize, capacity, settings);
  }

  /** These options with a hint for presets. */
  public StorageOptions withMaxPageSize(MemorySize size) {
    return new StorageOptions(index, byteAlignment, Optional.of(size), capacity, settings);
  }

  /** These options with a limit on the bytes handed out at once. */
  public StorageOptions withCapacity(MemorySize size) {
    return new StorageOptions(index, byteAlignment, maxPageSize, Optional.of(size), settings);
  }

  /** These options with a setting of this kind of device. */
  public StorageOptions withSetting(String name, String value) {
    Map<String, String> all = new HashMap<>(settings);
    all.put(name, value);
    return new StorageOptions(index, byteAlignment, maxPageSize, capacity, all);
  }

  /**
   * The value of a setting, for providers.
   *
   * @param name the setting
   * @param values what it may be
   * @return the value; the first one if the setting is not there
   * @throws IllegalArgumentException if it is another; names the setting and the values
   */
  public String setting(String name, String... values) {
    String value = settings.getOrDefault(name, values[0]);
    for (String known : values) {
      if (known.equals(value)) {
        return value;
      }
    }
    throw StorageErrors.badSetting(name, value, String.join(", ", values));
  }

  /**
   * Refuses settings that a kind of device does not have, for providers.
   *
   * @param kind the kind
   * @param known the names of those it has
   * @throws IllegalArgumentException if there is another; names it and those that are known
   */
  public void checkSettings(String kind, String... known) {
    for (String name : settings.keySet()) {
      if (!List.of(known).contains(name)) {
        throw StorageErrors.noSetting(kind, name, known);
      }
    }
  }
}
