package io.cistern.manager;

import static io.cistern.page.SliceTable.NONE;

import io.cistern.pool.Pool;
import io.cistern.storage.StorageBlock;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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
public final class Allocation implements AutoCloseable {

  private static final VarHandle GENERATION;

  static {
    try {
      GENERATION = MethodHandles.lookup().findVarHandle(Allocation.class, "generation", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The generation of a zero-sized allocation: odd, as that of any live slice. */
  static final int ZERO_SIZED = 1;

  private static final int CLOSED = 0;

  private final MemoryManager manager;
  private final Pool pool;
  private final @Nullable StorageBlock block;
  private final int slice;

  // The slice's, odd; CLOSED once this is. Set under the manager's lock, with release order: a full
  // fence would be a third of the cost of closing. Read with acquire order.
  private int generation;

  private final long byteSize;
  private final long byteOffset;

  Allocation(
      MemoryManager manager,
      Pool pool,
      @Nullable StorageBlock block,
      int slice,
      int generation,
      long byteSize,
      long byteOffset) {
    this.manager = manager;
    this.pool = pool;
    this.block = block;
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
    return pool.index();
  }

  /**
   * The driver's block that the slice is part of.
   *
   * @throws IllegalStateException if this handle or its manager is closed, or the allocation is
   *     zero-sized and so has no block
   */
  public StorageBlock block() {
    checkAlive();
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
   *     has there; after its page went back to the driver it throws.
   * @return {@link #byteSize} bytes; an empty segment if the allocation is zero-sized
   * @throws UnsupportedOperationException if the device has no host access; names the device's way
   * @throws IllegalStateException if this handle or its manager is closed
   */
  public MemorySegment segment() {
    checkAlive();
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
    return (int) GENERATION.getAcquire(this) == CLOSED;
  }

  /** Marks this handle closed; returns the generation of its slice. Under the manager's lock. */
  int markClosed() {
    int last = generation;
    if (last == CLOSED) {
      throw ManagerErrors.handleClosed(byteSize);
    }
    GENERATION.setRelease(this, CLOSED);
    return last;
  }

  /** Frees the slice, if it is still this handle's. Under the manager's lock. */
  void freeSlice(int lastGeneration, long requestCount) {
    if (slice != NONE && !pool.slices().isLive(slice, lastGeneration)) {
      throw new AssertionError("slice " + slice + " is not live at generation " + lastGeneration);
    }
    pool.release(slice, byteSize, requestCount);
  }

  long requestedByteSize() {
    return byteSize;
  }

  Pool servedBy() {
    return pool;
  }

  @Override
  public String toString() {
    String state = isAlive() ? "" : ", closed";
    return "Allocation[" + byteSize + " bytes, pool " + pool() + state + "]";
  }
}
