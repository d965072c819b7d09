package io.cistern.manager;

import io.cistern.AllocationException;
import io.cistern.DeviceMemoryException;
import io.cistern.page.SliceTable;
import io.cistern.pool.PersistentPool;
import io.cistern.pool.Place;
import io.cistern.pool.Pool;
import io.cistern.pool.Stripe;
import io.cistern.storage.StorageBlock;
import java.lang.foreign.MemorySegment;

/**
 * A manager's allocations as numbers, for code that counts every object: neither a request nor a
 * close makes one.
 *
 * <p>A number does what an {@link Allocation} does that has one holder and no fences. It is closed
 * exactly once, by any thread; a stale one is refused, because it holds the slice's generation.
 * That has {@value #GENERATION_BITS} bits: after {@code 2^27} further owners of one slice a number
 * would come again. It means nothing to other managers. 0 is never a handle.
 *
 * <p>Numbers are not watched: neither for leaks, nor do their segments end with them, whatever
 * {@linkplain io.cistern.config.SafetyOptions safety} is switched on. Their bytes are.
 *
 * <p>As safe for many threads as the manager is. Every method but {@link #allocate} and {@link
 * #close} is O(1) and takes no lock.
 */
public final class Handles {

  private static final int GENERATION_BITS = 28;
  private static final int SLICE_BITS = 28;
  private static final int POOL_BITS = 8;

  private static final int GENERATION_MASK = (1 << GENERATION_BITS) - 1;
  private static final int SLICE_MASK = (1 << SLICE_BITS) - 1;
  private static final int POOL_MASK = (1 << POOL_BITS) - 1;

  private final MemoryManager manager;

  Handles(MemoryManager manager) {
    this.manager = manager;
  }

  /**
   * As {@link MemoryManager#allocate(long)}.
   *
   * @param byteSize the size in bytes, at least 0
   * @return the handle, not 0
   * @throws AllocationException if the memory can't be had; every total is what it was
   * @throws IllegalArgumentException if the size is negative
   * @throws IllegalStateException if the manager is closed, or the pool has 2^28 slices
   */
  public long allocate(long byteSize) {
    long place = manager.allocatePlace(byteSize, 1, "");
    int slice = Place.slice(place);
    Pool pool = manager.pool(Place.pool(place));
    if (slice > SLICE_MASK) {
      giveBack(pool, slice);
      throw ManagerErrors.tooManyForHandles(SLICE_MASK);
    }
    long generation = pool.slices().generation(slice) & GENERATION_MASK;
    long poolBits = (long) pool.index() - PersistentPool.INDEX;
    return (generation << (POOL_BITS + SLICE_BITS)) | (poolBits << SLICE_BITS) | slice;
  }

  private void giveBack(Pool pool, int slice) {
    manager.lockWithHome(pool, slice);
    try {
      manager.release(pool, slice);
    } finally {
      manager.unlockAndTell();
    }
  }

  private static int slice(long handle) {
    return (int) handle & SLICE_MASK;
  }

  private static int generation(long handle) {
    return (int) (handle >>> (POOL_BITS + SLICE_BITS));
  }

  /** The pool of a handle. */
  private Pool poolOf(long handle) {
    int index = ((int) (handle >>> SLICE_BITS) & POOL_MASK) + PersistentPool.INDEX;
    if (!manager.hasPool(index)) {
      throw ManagerErrors.staleHandle(handle);
    }
    return manager.pool(index);
  }

  /**
   * Gives the slice back to its pool. O(1) in the number of live allocations.
   *
   * @throws IllegalStateException if the handle is closed already, or never was one
   */
  public void close(long handle) {
    Pool pool = poolOf(handle);
    int slice = slice(handle);
    if (!closeAtHome(handle, pool, slice)) {
      closeLocked(handle, pool, slice);
    }
  }

  /** Closes a handle without the lock; false if that can't be, and nothing changed. */
  private boolean closeAtHome(long handle, Pool pool, int slice) {
    Stripe home = manager.enterHome(pool, slice);
    if (home == null) {
      return false;
    }
    try {
      return isTaken(handle, pool.slices()) && home.put(pool.slices(), slice);
    } finally {
      home.leave();
    }
  }

  private void closeLocked(long handle, Pool pool, int slice) {
    manager.lockWithHome(pool, slice);
    try {
      checkTaken(handle, pool.slices());
      manager.release(pool, slice);
    } finally {
      manager.unlockAndTell();
    }
  }

  private static boolean isTaken(long handle, SliceTable slices) {
    return slices.isTakenAt(slice(handle), generation(handle), GENERATION_MASK);
  }

  private static void checkTaken(long handle, SliceTable slices) {
    if (!isTaken(handle, slices)) {
      throw ManagerErrors.staleHandle(handle);
    }
  }

  /** Whether neither this handle nor the manager is closed. */
  public boolean isAlive(long handle) {
    int index = ((int) (handle >>> SLICE_BITS) & POOL_MASK) + PersistentPool.INDEX;
    return manager.isOpen()
        && manager.hasPool(index)
        && isTaken(handle, manager.pool(index).slices());
  }

  /** The slices that a live handle's is one of. */
  private SliceTable live(long handle) {
    manager.checkOpen();
    SliceTable slices = poolOf(handle).slices();
    checkTaken(handle, slices);
    return slices;
  }

  /**
   * The size in bytes, as it was asked for.
   *
   * @throws IllegalStateException if the handle or the manager is closed
   */
  public long byteSize(long handle) {
    live(handle);
    return manager.usable(poolOf(handle), slice(handle));
  }

  /**
   * Where the slice begins in its block, in bytes; 0 for a zero-sized one.
   *
   * @throws IllegalStateException if the handle or the manager is closed
   */
  public long byteOffset(long handle) {
    return live(handle).offset(slice(handle));
  }

  /**
   * The pool that served the handle, by its index in routing order; -1 is the persistent pool.
   *
   * @throws IllegalStateException if the handle or the manager is closed
   */
  public int pool(long handle) {
    live(handle);
    return poolOf(handle).index();
  }

  /**
   * The driver's block that the slice is part of.
   *
   * @throws IllegalStateException if the handle or the manager is closed, or the allocation is
   *     zero-sized and so has no block
   * @throws DeviceMemoryException if a dry run left the memory unmapped and the device refuses it;
   *     it may be asked again
   */
  public StorageBlock block(long handle) {
    if (byteSize(handle) == 0) {
      throw ManagerErrors.noBlock();
    }
    Pool pool = poolOf(handle);
    StorageBlock block = pool.block(slice(handle));
    return block != null ? block : manager.locked(() -> pool.map(slice(handle)));
  }

  /**
   * The slice's memory, bounded to it, on devices with host access; as {@link Allocation#segment}.
   *
   * @throws UnsupportedOperationException if the device has no host access; names the device's way
   * @throws IllegalStateException if the handle or the manager is closed
   */
  public MemorySegment segment(long handle) {
    long byteSize = byteSize(handle);
    return byteSize == 0
        ? MemorySegment.NULL
        : block(handle).segment().asSlice(byteOffset(handle), byteSize);
  }

  /**
   * The slice's address, on devices with addresses; 0 if the allocation is zero-sized.
   *
   * @throws UnsupportedOperationException if the device has no addresses; names the device's way
   * @throws IllegalStateException if the handle or the manager is closed
   */
  public long address(long handle) {
    return byteSize(handle) == 0 ? 0 : block(handle).address() + byteOffset(handle);
  }
}
