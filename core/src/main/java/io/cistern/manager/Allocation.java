package io.cistern.manager;

import io.cistern.DeviceMemoryException;
import io.cistern.pool.Pool;
import io.cistern.pool.Stripe;
import io.cistern.storage.Fence;
import io.cistern.storage.StorageBlock;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A handle on a slice of a device's memory, closed exactly once.
 *
 * <p>Any thread may use and close it, also after the thread that allocated it has ended. Closing
 * twice is an error, and so is any use after the close; neither can touch the slice's next owner,
 * because a slice is known by its generation and not by its place alone.
 *
 * <p>When its manager is closed first, the handle may still be closed, silently; any other use is
 * an error.
 */
public sealed class Allocation implements AutoCloseable permits WatchedAllocation {

  private static final VarHandle STATE;
  private static final VarHandle BLOCK;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(Allocation.class, "state", int.class);
      BLOCK = lookup.findVarHandle(Allocation.class, "block", StorageBlock.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // While it is the only handle on its slice, which nothing is noted of, closing it concerns nobody
  // else, and needs no lock but only the slice's home. One that was shared stays so.
  private static final int CLOSED = 0;
  private static final int SOLE = 1;
  private static final int SHARED = 2;

  private final MemoryManager manager;
  private final Pool pool;
  private final int slice;

  // Changed by who is in the slice's home, or holds the lock with that home stopped: nobody else
  // changes it then, so it is closed once.
  private int state;

  // Null if the allocation is zero-sized, and while its page is not mapped: a dry run made it.
  private @Nullable StorageBlock block;

  /**
   * A handle on a live slice, which is the caller's.
   *
   * @param sole whether there is no other, and the slice was not described
   */
  Allocation(MemoryManager manager, Pool pool, int slice, boolean sole) {
    this.manager = manager;
    this.pool = pool;
    this.slice = slice;
    STATE.setRelease(this, sole ? SOLE : SHARED);
  }

  /**
   * The size in bytes, as it was asked for.
   *
   * @throws IllegalStateException if this handle or its manager is closed
   */
  public long byteSize() {
    checkAlive();
    long byteSize = manager.usable(pool, slice);
    checkStillAlive();
    return byteSize;
  }

  /**
   * Where the slice begins in its block, in bytes; 0 for a zero-sized one.
   *
   * @throws IllegalStateException if this handle or its manager is closed
   */
  public long byteOffset() {
    checkAlive();
    long byteOffset = pool.slices().offset(slice);
    checkStillAlive();
    return byteOffset;
  }

  /** The pool that served this, by its index in routing order; -1 is the persistent pool. */
  public int pool() {
    return pool.index();
  }

  /**
   * The driver's block that the slice is part of.
   *
   * @throws IllegalStateException if this handle or its manager is closed, or the allocation is
   *     zero-sized and so has no block
   * @throws DeviceMemoryException if a dry run left the memory unmapped and the device refuses it;
   *     it may be asked again
   */
  public StorageBlock block() {
    if (byteSize() == 0) {
      throw ManagerErrors.noBlock();
    }
    return mapped();
  }

  /** The block of an allocation that is not zero-sized. */
  private StorageBlock mapped() {
    StorageBlock known = (@Nullable StorageBlock) BLOCK.getAcquire(this);
    if (known == null) {
      known = manager.map(this);
      BLOCK.setRelease(this, known);
    }
    return known;
  }

  /**
   * The driver's block as the device's own type.
   *
   * @throws IllegalArgumentException if the block is of another type; names both
   * @throws IllegalStateException if this handle or its manager is closed, or the allocation is
   *     zero-sized and so has no block
   */
  public <T extends StorageBlock> T block(Class<T> type) {
    StorageBlock untyped = block();
    if (!type.isInstance(untyped)) {
      throw ManagerErrors.otherBlockType(type, untyped);
    }
    return type.cast(untyped);
  }

  /**
   * The slice's memory, bounded to it, on devices with host access.
   *
   * @apiNote A segment that is kept beyond the close reads and writes what the slice's next owner
   *     has there; after its page went back to the driver it throws. {@link
   *     io.cistern.config.SafetyOptions#check} makes it throw from the close on.
   * @return {@link #byteSize} bytes; an empty segment if the allocation is zero-sized
   * @throws UnsupportedOperationException if the device has no host access; names the device's way
   * @throws IllegalStateException if this handle or its manager is closed
   */
  public MemorySegment segment() {
    long byteSize = byteSize();
    return byteSize == 0 ? MemorySegment.NULL : mapped().segment().asSlice(byteOffset(), byteSize);
  }

  /**
   * The slice's address, on devices with addresses.
   *
   * @return the address; 0 if the allocation is zero-sized
   * @throws UnsupportedOperationException if the device has no addresses; names the device's way
   * @throws IllegalStateException if this handle or its manager is closed
   */
  public long address() {
    return byteSize() == 0 ? 0 : mapped().address() + byteOffset();
  }

  /**
   * Copies bytes of the slice to the host, on devices with copies; returns when they are there.
   * Work on the device that writes these bytes must be done.
   *
   * @param fromOffset where in the slice the bytes begin, in bytes
   * @param target where they go; its size says how many
   * @throws IndexOutOfBoundsException if the bytes do not lie in the slice
   * @throws UnsupportedOperationException if the device can't copy; names the device's way
   * @throws DeviceMemoryException if the device fails
   * @throws IllegalStateException if this handle or its manager is closed
   */
  public void read(long fromOffset, MemorySegment target) {
    Objects.checkFromIndexSize(fromOffset, target.byteSize(), byteSize());
    if (target.byteSize() > 0) {
      mapped().read(byteOffset() + fromOffset, target);
    }
  }

  /**
   * Copies bytes of the host to the slice, on devices with copies; returns when the device has
   * them. Work on the device that uses the bytes they replace must be done.
   *
   * @param toOffset where in the slice the bytes begin, in bytes
   * @param source where they come from; its size says how many
   * @throws IndexOutOfBoundsException if the bytes do not lie in the slice
   * @throws UnsupportedOperationException if the device can't copy; names the device's way
   * @throws DeviceMemoryException if the device fails
   * @throws IllegalStateException if this handle or its manager is closed
   */
  public void write(long toOffset, MemorySegment source) {
    Objects.checkFromIndexSize(toOffset, source.byteSize(), byteSize());
    if (source.byteSize() > 0) {
      mapped().write(byteOffset() + toOffset, source);
    }
  }

  /** Whether neither this handle nor its manager is closed. */
  public boolean isAlive() {
    return !isClosed() && manager.isOpen();
  }

  /**
   * Whether the holder may change the contents as if nobody else saw them: exactly one handle is
   * open. Holds of captures do not count.
   *
   * @throws IllegalStateException if this handle or its manager is closed
   */
  public boolean canMutate() {
    return manager.withLive(this, () -> pool.slices().handles(slice) == 1);
  }

  /**
   * Opens another handle on the same slice, which is closed on its own: the slice is free when the
   * last of its handles is closed. O(1).
   *
   * @throws IllegalStateException if this handle or its manager is closed
   */
  public Allocation retain() {
    return manager.withLive(
        this,
        () -> {
          share();
          pool.slices().addHandles(slice, 1);
          return manager.handle(pool, slice, false);
        });
  }

  /**
   * Says that device work uses the slice until a fence has passed. After the last close the slice
   * stays out of reach until all fences that any holder has named have passed. O(1) amortised.
   *
   * <p>Work of the manager's own stream needs none, if what comes next in that stream comes after
   * it.
   *
   * @throws IllegalStateException if this handle or its manager is closed
   */
  public void usedUntil(Fence fence) {
    Objects.requireNonNull(fence, "fence");
    manager.withLive(
        this,
        () -> {
          share();
          pool.usedUntil(slice, fence);
          return fence;
        });
  }

  /**
   * Closes this handle; with the last one, gives the slice back to its pool. O(1) in the number of
   * live allocations.
   *
   * @throws IllegalStateException if this handle is closed already; or, where segments end with
   *     their handle, if one is in use this moment, and the handle stays open
   * @throws WrongThreadException if the manager is confined to another thread; the handle stays
   *     open
   */
  @Override
  public final void close() {
    if (!closeAtHome()) {
      closeLocked();
    }
  }

  /** Closes the only handle without the lock; false if that can't be, and nothing changed. */
  private boolean closeAtHome() {
    if ((int) STATE.getAcquire(this) != SOLE) {
      return false;
    }
    Stripe home = manager.enterHome(pool, slice);
    if (home == null) {
      return false;
    }
    try {
      if (state != SOLE || !home.put(pool.slices(), slice)) {
        return false;
      }
      STATE.setRelease(this, CLOSED);
      return true;
    } finally {
      home.leave();
    }
  }

  private void closeLocked() {
    manager.lockWithHome(pool, slice);
    try {
      if (isClosed()) {
        throw ManagerErrors.handleClosed(pool());
      }
      beforeClose();
      STATE.setRelease(this, CLOSED);
      manager.release(pool, slice);
    } finally {
      manager.unlockAndTell();
    }
  }

  /** What ends with this handle ends. Under the manager's lock; if it throws, this stays open. */
  void beforeClose() {}

  /** From now on a close needs the manager's lock, which is held with the slice's home stopped. */
  private void share() {
    STATE.setRelease(this, SHARED);
  }

  /**
   * The record is the slice's next owner's once this is closed, by another thread perhaps: so what
   * was read of it counts if the handle is alive after that.
   */
  private void checkStillAlive() {
    VarHandle.acquireFence();
    checkAlive();
  }

  void checkAlive() {
    if (isClosed()) {
      throw ManagerErrors.handleClosed(pool());
    }
    manager.checkOpen();
  }

  boolean isClosed() {
    return (int) STATE.getAcquire(this) == CLOSED;
  }

  Pool servedBy() {
    return pool;
  }

  int slice() {
    return slice;
  }

  @Override
  public String toString() {
    String state = isAlive() ? manager.usable(pool, slice) + " bytes" : "closed";
    return "Allocation[" + state + ", pool " + pool() + "]";
  }
}
