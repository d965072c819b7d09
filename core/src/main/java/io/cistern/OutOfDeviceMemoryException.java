package io.cistern;

import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The device did not give the memory for a request, also after everything free was given back.
 *
 * <p>The cause is the device's own refusal.
 */
public final class OutOfDeviceMemoryException extends AllocationException {
  private static final long serialVersionUID = 1L;

  /** How many of the largest live allocations are shown. */
  public static final int LARGEST_SHOWN = 5;

  private final Held held;
  private final Duration waited;
  private final ArrayList<LiveAllocation> largest;

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
      implements Serializable {

    /** The share of free bytes that are not in the largest free run, 0 to 1; 0 if none is free. */
    public double fragmentation() {
      return free == 0 ? 0 : 1 - (double) largestFree / free;
    }
  }

  /**
   * Says what was asked, what the device answered, and what the manager held.
   *
   * @param requestedByteSize the request in bytes
   * @param held what the manager held
   * @param waited how long the request waited for fences
   * @param largest the largest live allocations, largest first
   * @param cause the device's refusal
   */
  public OutOfDeviceMemoryException(
      long requestedByteSize,
      Held held,
      Duration waited,
      List<LiveAllocation> largest,
      DeviceMemoryException cause) {
    super(message(requestedByteSize, held, waited, largest, cause), requestedByteSize, cause);
    this.held = held;
    this.waited = waited;
    this.largest = new ArrayList<>(largest);
  }

  private static String message(
      long requested,
      Held held,
      Duration waited,
      List<LiveAllocation> largest,
      DeviceMemoryException cause) {
    String largestLive =
        largest.isEmpty()
            ? ""
            : "; largest live: "
                + largest.stream().map(String::valueOf).collect(Collectors.joining("; "));
    return String.format(
        Locale.ROOT,
        "out of device memory: asked for %d bytes, which takes a block of %d; in use %d, pending"
            + " %d%s, pinned %d, reserved %d, free %d, largest free run %d, fragmentation %.2f;"
            + " the device says: %s%s",
        requested,
        cause.byteSize(),
        held.inUse(),
        held.pending(),
        afterWait(waited),
        held.pinned(),
        held.reserved(),
        held.free(),
        held.largestFree(),
        held.fragmentation(),
        cause.getMessage(),
        largestLive);
  }

  /** What the manager held when the device refused. */
  public Held held() {
    return held;
  }

  /** How long the request waited for fences. */
  public Duration waited() {
    return waited;
  }

  /** The largest live allocations of the manager, at most five, largest first. */
  public List<LiveAllocation> largest() {
    return List.copyOf(largest);
  }
}
