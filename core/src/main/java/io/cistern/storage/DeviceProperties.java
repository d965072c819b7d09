package io.cistern.storage;

import io.cistern.MemorySize;
import java.util.Objects;
import java.util.Set;

/**
 * What a device is, as far as memory goes.
 *
 * @param name the device's name for people
 * @param total the memory that the device has
 * @param maxPageSize a hint for presets: how large a page may sensibly be; no limit
 * @param byteAlignment every slice starts at a multiple of this and takes a multiple of it, in
 *     bytes; checked when a layout is resolved
 * @param blockAlignment every block starts at a multiple of this, in bytes; at least {@code
 *     byteAlignment}
 * @param features what the device can and can't do; copied
 */
public record DeviceProperties(
    String name,
    MemorySize total,
    MemorySize maxPageSize,
    long byteAlignment,
    long blockAlignment,
    Set<Feature> features) {

  /**
   * Makes the properties. Alignments are taken as they are and checked when a layout is resolved.
   *
   * @throws NullPointerException if an argument is null
   */
  public DeviceProperties {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(total, "total");
    Objects.requireNonNull(maxPageSize, "maxPageSize");
    features = Set.copyOf(features);
  }

  /** Whether the device has a feature. */
  public boolean has(Feature feature) {
    return features.contains(feature);
  }

  /** These properties with another hint for presets. */
  public DeviceProperties withMaxPageSize(MemorySize size) {
    return new DeviceProperties(name, total, size, byteAlignment, blockAlignment, features);
  }

  /** These properties with another amount of memory. */
  public DeviceProperties withTotal(MemorySize size) {
    return new DeviceProperties(name, size, maxPageSize, byteAlignment, blockAlignment, features);
  }
}
