package io.cistern.host;

import io.cistern.DeviceMemoryException;
import io.cistern.storage.StorageBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A block of host memory with a scope of its own, which ends when the block is given back.
 *
 * <p>Made by {@link HostStorage#allocate}; safe for many threads. A segment that is kept beyond the
 * give-back throws {@link IllegalStateException} on access. A block is not given back while a
 * native call has a segment of it, or an open arena a slice.
 */
public final class HostBlock implements StorageBlock {

  private static final int GIVEN_BACK = -1;

  private final HostStorage storage;
  private final long address;
  private final long byteSize;

  // Slices that live in arenas of their own, or GIVEN_BACK. While there are any the memory stays,
  // as their segments have another scope than the block's.
  private final AtomicInteger leases = new AtomicInteger();

  // Guarded by the storage, but for reading the segment. The segment's scope is the arena's.
  private Arena arena;
  private volatile MemorySegment segment;

  HostBlock(HostStorage storage, Arena arena, MemorySegment segment) {
    this.storage = storage;
    this.address = segment.address();
    this.byteSize = segment.byteSize();
    this.arena = arena;
    this.segment = segment;
  }

  @Override
  public long byteSize() {
    return byteSize;
  }

  /**
   * The block's memory; its content is undefined at first.
   *
   * @return the whole block, for all threads; after the give-back a segment whose access throws
   *     {@link IllegalStateException}
   */
  @Override
  public MemorySegment segment() {
    return segment;
  }

  @Override
  @SuppressWarnings("restricted") // The lease keeps the memory for as long as the segment is alive.
  public MemorySegment segment(long byteOffset, long byteSize, Arena lifetime) {
    MemorySegment part = segment.asSlice(byteOffset, byteSize);
    lease();
    try {
      return part.reinterpret(lifetime, _ -> endLease());
    } catch (RuntimeException e) {
      endLease();
      throw e;
    }
  }

  /** The block's base in the process's address space. */
  @Override
  public long address() {
    return address;
  }

  /**
   * Keeps the memory while a slice of it has another scope.
   *
   * @throws IllegalStateException if this block is given back
   */
  void lease() {
    int held = leases.get();
    while (held == GIVEN_BACK || !leases.compareAndSet(held, held + 1)) {
      if (held == GIVEN_BACK) {
        throw HostErrors.givenBack(this);
      }
      held = leases.get();
    }
  }

  /** Ends one {@link #lease}. */
  void endLease() {
    if (leases.decrementAndGet() == 0) {
      storage.leasesEnded(this);
    }
  }

  /**
   * Ends the scope, then gives the memory back: never the other way round.
   *
   * @throws DeviceMemoryException if the memory is in use, or the system did not take it; this
   *     block is as valid as before
   */
  void giveBack(PageSource pages) {
    if (!leases.compareAndSet(0, GIVEN_BACK)) {
      throw HostErrors.inArena(this, leases.get());
    }
    try {
      arena.close();
    } catch (IllegalStateException e) {
      leases.set(0);
      throw HostErrors.inAccess(this, e);
    }
    try {
      pages.giveBack(address, byteSize);
    } catch (OsRefusal e) {
      renewScope();
      leases.set(0);
      throw HostErrors.notTaken(this, e);
    }
  }

  /** A scope ends for good, so memory that stays gets another. */
  // The range is ours: the system has not taken it back. The next give-back closes the arena.
  @SuppressWarnings({"restricted", "MustBeClosedChecker"})
  private void renewScope() {
    arena = Arena.ofShared();
    segment = MemorySegment.ofAddress(address).reinterpret(byteSize, arena, null);
  }

  @Override
  public String toString() {
    return "host block of " + byteSize + " bytes at 0x" + Long.toHexString(address);
  }
}
