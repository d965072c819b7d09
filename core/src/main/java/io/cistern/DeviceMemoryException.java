package io.cistern;

/**
 * A device refused to give a block, or to take one back; nothing changed on the device.
 *
 * <p>Storages throw it. Requests on a manager report a refusal as {@link
 * OutOfDeviceMemoryException}, with this as its cause.
 */
public class DeviceMemoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long byteSize;

  /**
   * Says what was asked of which device, and what it answered.
   *
   * @param message asked, possible, and the device's own code or word
   * @param byteSize the size of the block in bytes
   */
  public DeviceMemoryException(String message, long byteSize) {
    super(message);
    this.byteSize = byteSize;
  }

  /**
   * As {@link #DeviceMemoryException(String, long)}, with what the driver threw.
   *
   * @param message asked, possible, and the device's own code or word
   * @param byteSize the size of the block in bytes
   * @param cause what the driver threw
   */
  public DeviceMemoryException(String message, long byteSize, Throwable cause) {
    super(message, cause);
    this.byteSize = byteSize;
  }

  /** The size of the block that was asked for or to be given back, in bytes. */
  public final long byteSize() {
    return byteSize;
  }
}
