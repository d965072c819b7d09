package io.cistern.storage;

import java.util.List;
import java.util.Objects;

/**
 * The devices of a kind on this machine.
 *
 * @param devices in the order of their indices; copied
 * @param whyNone if there are none, what is missing, such as a library by its name; otherwise empty
 */
public record DeviceList(List<DeviceInfo> devices, String whyNone) {

  /**
   * Makes the list.
   *
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if there is neither a device nor a reason, or both are there
   */
  public DeviceList {
    devices = List.copyOf(devices);
    Objects.requireNonNull(whyNone, "whyNone");
    if (devices.isEmpty() == whyNone.isEmpty()) {
      throw new IllegalArgumentException("a list has devices or says why it has none");
    }
  }

  /** Devices that were found; at least one. */
  public static DeviceList of(List<DeviceInfo> devices) {
    return new DeviceList(devices, "");
  }

  /** No devices, and why. */
  public static DeviceList none(String why) {
    return new DeviceList(List.of(), why);
  }
}
