package io.cistern.manager;

import static io.cistern.page.SliceTable.NONE;

import io.cistern.pool.Page;
import io.cistern.storage.StorageBlock;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

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
public final class Allocation implements AutoCloseable {

  private static final VarHandle CLOSED;

  static {
    try {
      CLOSED = MethodHandles.lookup().findVarHandle(Allocation.class, "closed", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final MemoryManager manager;
  private final Page page;
  private final int slice;
  private final int generation;
  private final long byteSize;
  private final long byteOffset;

  // Set under the manager's lock, with release order: a full fence would be a third of the cost of
  // closing. Read with acquire order.
  private boolean closed;

  Allocation(
      MemoryManager manager, Page page, int slice, int generation, long byteSize, long byteOffset) {
    this.manager = manager;
    this.page = page;
    this.slice = slice;
    this.generation = generation;
    this.byteSize = byteSize;
    this.byteOffset = byteOffset;
  }

  /**
   * The size in bytes, as it was asked for.
   *
   * @throws IllegalStateException if this handle or its manager is closed
   */
  public long byteSize() {
    checkAlive();
    return byteSize;
  }

  /**
   * Where the slice begins in its block, in bytes; 0 for a zero-sized one.
   *
   * @throws IllegalStateException if this handle or its manager is closed
   */
  public long byteOffset() {
    checkAlive();
    return byteOffset;
  }

  /** The index in routing order of the pool that served this. */
  public int pool() {
    return page.pool().index();
  }

  /**
   * The driver's block that the slice is part of.
   *
   * @throws IllegalStateException if this handle or its manager is closed, or the allocation is
   *     zero-sized and so has no block
   */
  public StorageBlock block() {
    checkAlive();
    StorageBlock block = page.block();
    if (block == null) {
      throw ManagerErrors.noBlock();
    }
    return block;
  }

  /**
   * The driver's block as the device's own type.
   *
   * @throws IllegalArgumentException if the block is of another type; names both
   * @throws IllegalStateException if this handle or its manager is closed, or the allocation is
   *     zero-sized and so has no block
   */
  public <T extends StorageBlock> T block(Class<T> type) {
    StorageBlock block = block();
    if (!type.isInstance(block)) {
      throw ManagerErrors.otherBlockType(type, block);
    }
    return type.cast(block);
  }

  /**
   * The slice's memory, bounded to it, on devices with host access.
   *
   * @apiNote A segment that is kept beyond the close reads and writes what the slice's next owner
   *     has there; after its page went back to the driver it throws.
   * @return {@link #byteSize} bytes; an empty segment if the allocation is zero-sized
   * @throws UnsupportedOperationException if the device has no host access; names the device's way
   * @throws IllegalStateException if this handle or its manager is closed
   */
  public MemorySegment segment() {
    checkAlive();
    StorageBlock block = page.block();
    return block == null ? MemorySegment.NULL : block.segment().asSlice(byteOffset, byteSize);
  }

  /**
   * The slice's address, on devices with addresses.
   *
   * @return the address; 0 if the allocation is zero-sized
   * @throws UnsupportedOperationException if the device has no addresses; names the device's way
   * @throws IllegalStateException if this handle or its manager is closed
   */
  public long address() {
    checkAlive();
    StorageBlock block = page.block();
    return block == null ? 0 : block.address() + byteOffset;
  }

  /** Whether neither this handle nor its manager is closed. */
  public boolean isAlive() {
    return !isClosed() && manager.isOpen();
  }

  /**
   * Gives the slice back to its pool. O(1) in the number of live allocations.
   *
   * @throws IllegalStateException if this handle is closed already
   */
  @Override
  public void close() {
    manager.release(this);
  }

  private void checkAlive() {
    if (isClosed()) {
      throw ManagerErrors.handleClosed(byteSize);
    }
    manager.checkOpen();
  }

  boolean isClosed() {
    return (boolean) CLOSED.getAcquire(this);
  }

  /** Marks this handle closed; false if it is already. Under the manager's lock. */
  boolean markClosed() {
    if (closed) {
      return false;
    }
    CLOSED.setRelease(this, true);
    return true;
  }

  /** Frees the slice, if it is still this handle's. Under the manager's lock. */
  void freeSlice(long requestCount) {
    if (slice != NONE && !page.pool().slices().isLive(slice, generation)) {
      throw new AssertionError("slice " + slice + " is not live with generation " + generation);
    }
    page.pool().release(slice, byteSize, requestCount);
  }

  long requestedByteSize() {
    return byteSize;
  }

  Page page() {
    return page;
  }

  @Override
  public String toString() {
    String state = isAlive() ? "" : ", closed";
    return "Allocation[" + byteSize + " bytes, pool " + pool() + state + "]";
  }
}
