package io.cistern;

import java.io.Serializable;

/**
 * The device did not give the memory for a request, also after everything free was given back.
 *
 * <p>The cause is the device's own refusal.
 */
public final class OutOfDeviceMemoryException extends AllocationException {
  private static final long serialVersionUID = 1L;

  private final Held held;

  /**
   * What the manager held when the device refused.
   *
   * @param inUse requested bytes of live slices
   * @param pending bytes that device work still keeps out of reach
   * @param pinned the share of {@code inUse} that captures alone hold
   * @param reserved bytes of all pages and blocks
   * @param free bytes of free slices together
   * @param largestFree bytes of the largest free slice
   */
  public record Held(
      long inUse, long pending, long pinned, long reserved, long free, long largestFree)
      implements Serializable {}

  /**
   * Says what was asked, what the device answered, and what the manager held.
   *
   * @param requestedByteSize the request in bytes
   * @param held what the manager held
   * @param cause the device's refusal
   */
  public OutOfDeviceMemoryException(
      long requestedByteSize, Held held, DeviceMemoryException cause) {
    super(
        "out of device memory: asked for "
            + requestedByteSize
            + " bytes, which takes a block of "
            + cause.byteSize()
            + "; in use "
            + held.inUse()
            + ", pending "
            + held.pending()
            + ", pinned "
            + held.pinned()
            + ", reserved "
            + held.reserved()
            + ", free "
            + held.free()
            + ", largest free run "
            + held.largestFree()
            + "; the device says: "
            + cause.getMessage(),
        requestedByteSize,
        cause);
    this.held = held;
  }

  /** What the manager held when the device refused. */
  public Held held() {
    return held;
  }
}
