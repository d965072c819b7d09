package io.cistern.storage;

/**
 * A kind of device, found by {@link java.util.ServiceLoader}.
 *
 * <p>Implementations have a public constructor without arguments that does nothing but construct: a
 * driver is looked for when {@link #devices} or {@link #open} is called.
 */
public interface StorageProvider {

  /** The kind's name, lower case and without blanks, such as {@code host}. */
  String name();

  /**
   * The devices of this kind on this machine, or why there are none. A driver that is absent or
   * broken is a reason and no exception.
   */
  DeviceList devices();

  /**
   * Opens a device.
   *
   * @param options which device, and what to change about it
   * @return a storage that the caller closes
   * @throws IllegalArgumentException if there is no such device, or it can't be had with these
   *     options; says what was asked and what is possible
   */
  Storage open(StorageOptions options);
}
