package io.cistern.storage;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A device that was found, for people who choose one.
 *
 * @param properties what it is, as far as memory goes, when it is opened without options
 * @param driver the driver and its version, as the driver words it
 * @param limits what the driver allows, by names such as {@code max-block-bytes}, in the order they
 *     are to be shown; copied
 * @param settings what {@link StorageOptions#settings} may hold for it: names, and the values that
 *     this device has, in words; copied
 */
public record DeviceInfo(
    DeviceProperties properties,
    String driver,
    Map<String, Long> limits,
    Map<String, String> settings) {

  /**
   * Makes the description.
   *
   * @throws NullPointerException if an argument is null
   */
  public DeviceInfo {
    Objects.requireNonNull(properties, "properties");
    Objects.requireNonNull(driver, "driver");
    limits = Collections.unmodifiableMap(new LinkedHashMap<>(limits));
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }
}
