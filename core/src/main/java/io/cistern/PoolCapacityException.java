package io.cistern;

import java.io.Serializable;

/** A capped pool is full and no later pool accepts the request. */
public final class PoolCapacityException extends AllocationException {
  private static final long serialVersionUID = 1L;

  private final int pool;
  private final FreeSpace space;

  /**
   * What the full pool had when it refused.
   *
   * @param capacity the pool's cap in whole pages, in bytes
   * @param inUse requested bytes of its live slices
   * @param free bytes of its free slices together
   * @param largestFree bytes of its largest free slice
   */
  public record FreeSpace(long capacity, long inUse, long free, long largestFree)
      implements Serializable {}

  /**
   * Says what was asked, and what the last pool tried had.
   *
   * @param requestedByteSize the request in bytes
   * @param pool the last pool tried, by its index in routing order
   * @param space what that pool had
   */
  public PoolCapacityException(long requestedByteSize, int pool, FreeSpace space) {
    super(
        "pool "
            + pool
            + " is full: asked for "
            + requestedByteSize
            + " bytes, capacity "
            + space.capacity()
            + ", in use "
            + space.inUse()
            + ", free "
            + space.free()
            + ", largest free run "
            + space.largestFree(),
        requestedByteSize);
    this.pool = pool;
    this.space = space;
  }

  /**
   * As {@link #PoolCapacityException(long, int, FreeSpace)}, after a spill to a pool whose device
   * refused.
   *
   * @param requestedByteSize the request in bytes
   * @param pool the full pool, by its index in routing order
   * @param space what that pool had
   * @param cause the device's refusal
   */
  public PoolCapacityException(
      long requestedByteSize, int pool, FreeSpace space, DeviceMemoryException cause) {
    this(requestedByteSize, pool, space);
    initCause(cause);
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

  /** Bytes of the pool's free slices together. */
  public long free() {
    return space.free();
  }

  /** Bytes of the pool's largest free slice. */
  public long largestFree() {
    return space.largestFree();
  }
}
