package io.cistern;

import java.util.Objects;

/**
 * A device refused to give a block, or to take one back; nothing changed on the device.
 *
 * <p>Storages throw it. Requests on a manager report a refusal as {@link
 * OutOfDeviceMemoryException}, with this as its cause.
 */
public class DeviceMemoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long byteSize;
  private final Reason reason;

  /** Why a device refuses. */
  public enum Reason {
    /** The device, or the limit set on it, has not this much memory left. */
    OUT_OF_MEMORY,
    /** The device has more memory than this, but no single block may be so large. */
    BLOCK_TOO_LARGE,
    /** The device gives no more blocks at once, whatever their size. */
    TOO_MANY_BLOCKS,
    /** The block is in use just now, and can be given back later. */
    IN_USE,
    /** The device is gone: nothing works on it any more but closing. */
    DEVICE_LOST,
    /** The driver failed in another way; the message has its code. */
    DRIVER_FAILED
  }

  /**
   * Says what was asked of which device, and what it answered.
   *
   * @param message asked, possible, and the device's own code or word
   * @param byteSize the size of the block in bytes
   * @param reason why, for programs
   */
  public DeviceMemoryException(String message, long byteSize, Reason reason) {
    super(message);
    this.byteSize = byteSize;
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  /**
   * As {@link #DeviceMemoryException(String, long, Reason)}, with what the driver threw.
   *
   * @param message asked, possible, and the device's own code or word
   * @param byteSize the size of the block in bytes
   * @param reason why, for programs
   * @param cause what the driver threw
   */
  public DeviceMemoryException(String message, long byteSize, Reason reason, Throwable cause) {
    super(message, cause);
    this.byteSize = byteSize;
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  /** The size of the block that was asked for or to be given back, in bytes. */
  public final long byteSize() {
    return byteSize;
  }

  /** Why, for programs; the message says more. */
  public final Reason reason() {
    return reason;
  }
}
