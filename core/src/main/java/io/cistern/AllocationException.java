package io.cistern;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A request was refused because the memory for it can't be had. Every total is what it was before.
 */
public abstract sealed class AllocationException extends RuntimeException
    permits SizeNotAcceptedException, PoolCapacityException, OutOfDeviceMemoryException {
  private static final long serialVersionUID = 1L;

  private final long requestedByteSize;

  AllocationException(String message, long requestedByteSize, @Nullable Throwable cause) {
    super(message, cause);
    this.requestedByteSize = requestedByteSize;
  }

  AllocationException(String message, long requestedByteSize) {
    super(message);
    this.requestedByteSize = requestedByteSize;
  }

  /** The size that was asked for, in bytes. */
  public final long requestedByteSize() {
    return requestedByteSize;
  }

  /** How messages go on behind the pending bytes. */
  static String afterWait(Duration waited) {
    return waited.isZero() ? "" : " after a wait of " + waited.toMillis() + " ms";
  }
}
