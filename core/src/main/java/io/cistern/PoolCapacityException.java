package io.cistern;

import java.io.Serializable;
import java.time.Duration;
import java.util.Optional;

/** A capped pool is full and no later pool accepts the request. */
public final class PoolCapacityException extends AllocationException {
  private static final long serialVersionUID = 1L;

  private final int pool;
  private final FreeSpace space;
  private final Duration waited;

  /**
   * What the full pool had when it refused.
   *
   * @param capacity the pool's cap in whole pages, in bytes
   * @param inUse requested bytes of its live slices
   * @param pending bytes of its closed slices that device work still keeps out of reach
   * @param free bytes of its free slices together
   * @param largestFree bytes of its largest free slice
   */
  public record FreeSpace(long capacity, long inUse, long pending, long free, long largestFree)
      implements Serializable {}

  /**
   * Says what was asked, and what the last pool tried had.
   *
   * @param requestedByteSize the request in bytes
   * @param pool the last pool tried that was full, by its index in routing order
   * @param space what that pool had
   * @param waited how long the request waited for fences
   * @param cause the refusal of the device behind a later pool, if there was one
   */
  public PoolCapacityException(
      long requestedByteSize,
      int pool,
      FreeSpace space,
      Duration waited,
      Optional<DeviceMemoryException> cause) {
    super(
        "pool "
            + pool
            + " is full: asked for "
            + requestedByteSize
            + " bytes, capacity "
            + space.capacity()
            + ", in use "
            + space.inUse()
            + ", pending "
            + space.pending()
            + afterWait(waited)
            + ", free "
            + space.free()
            + ", largest free run "
            + space.largestFree(),
        requestedByteSize,
        cause.orElse(null));
    this.pool = pool;
    this.space = space;
    this.waited = waited;
  }

  /** The last pool that was tried, by its index in routing order. */
  public int pool() {
    return pool;
  }

  /** The pool's cap in whole pages, in bytes. */
  public long capacity() {
    return space.capacity();
  }

  /** Requested bytes of the pool's live slices. */
  public long inUse() {
    return space.inUse();
  }

  /** Bytes of the pool's closed slices that device work still keeps out of reach. */
  public long pending() {
    return space.pending();
  }

  /** How long the request waited for fences. */
  public Duration waited() {
    return waited;
  }

  /** Bytes of the pool's free slices together. */
  public long free() {
    return space.free();
  }

  /** Bytes of the pool's largest free slice. */
  public long largestFree() {
    return space.largestFree();
  }
}
