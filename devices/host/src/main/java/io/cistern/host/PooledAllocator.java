package io.cistern.host;

import io.cistern.AllocationException;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Feature;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * A segment allocator that takes from a manager's pools, for the lifetime of an arena that is
 * given.
 *
 * <p>Its segments have the arena's scope and its rules for threads; when the arena ends, by close
 * or, for an automatic one, when the garbage collector finds it, they go back to their pools
 * together. With {@link Arena#global} they never do. A segment of its can back {@link
 * SegmentAllocator#slicingAllocator} and {@link SegmentAllocator#prefixAllocator} as any other.
 *
 * <p>Memory is not zeroed: it holds what its last owner left there. ({@code allocateFrom} writes
 * all that it returns.) Safe for as many threads as the arena.
 *
 * @apiNote The arena is to be closed before the manager. If it is not, its segments stay valid, and
 *     their pages stay out until the arena and the storage are both closed.
 */
public final class PooledAllocator implements SegmentAllocator {

  private final MemoryManager manager;
  private final Arena lifetime;
  private final long blockAlignment;

  private PooledAllocator(MemoryManager manager, Arena lifetime, long blockAlignment) {
    this.manager = manager;
    this.lifetime = lifetime;
    this.blockAlignment = blockAlignment;
  }

  /**
   * Makes an allocator.
   *
   * @param manager whose pools serve; its storage is a {@link HostStorage}, or adaptors around one
   * @param lifetime how long segments live, and which threads may use them
   * @throws IllegalArgumentException if the manager's device has no host access
   */
  public static PooledAllocator of(MemoryManager manager, Arena lifetime) {
    DeviceProperties device = manager.layout().device();
    if (!device.has(Feature.HOST_ACCESS)) {
      throw HostErrors.noHostAccess(device);
    }
    return new PooledAllocator(manager, lifetime, device.blockAlignment());
  }

  /**
   * Takes a segment from the pools.
   *
   * @param byteSize the size in bytes, at least 0; an empty segment takes nothing from the pools
   *     and shares its address with others
   * @param byteAlignment what the address is a multiple of, in bytes: a power of two up to the
   *     device's block alignment, which is the system's page or more
   * @return a segment of exactly that size, its content undefined
   * @throws IllegalArgumentException if the size is negative, the alignment is no power of two or
   *     above the device's block alignment, or the manager's blocks are no {@link HostBlock}
   * @throws IllegalStateException if the arena or the manager is closed
   * @throws WrongThreadException if the arena is confined to another thread
   * @throws OutOfMemoryError if the manager refuses, its {@link AllocationException} as the cause;
   *     nothing changed
   */
  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    check(byteSize, byteAlignment);
    // Also asks the arena before the pools are touched.
    MemorySegment empty = empty(byteAlignment);
    if (byteSize == 0) {
      return empty;
    }
    return take(byteSize, byteAlignment).segment(lifetime);
  }

  private void check(long byteSize, long byteAlignment) {
    if (byteSize < 0) {
      throw HostErrors.negativeSize(byteSize);
    }
    if (byteAlignment < 1 || Long.bitCount(byteAlignment) != 1) {
      throw HostErrors.badAlignment(byteAlignment);
    }
    if (byteAlignment > blockAlignment) {
      throw HostErrors.alignmentTooLarge(byteAlignment, blockAlignment);
    }
  }

  /** No bytes at an address that is aligned and not null. */
  @SuppressWarnings("restricted") // It has no byte that could be accessed.
  private MemorySegment empty(long byteAlignment) {
    return MemorySegment.ofAddress(byteAlignment).reinterpret(0, lifetime, null);
  }

  private PooledSlice take(long byteSize, long byteAlignment) {
    try {
      return PooledSlice.of(manager.allocate(byteSize, byteAlignment));
    } catch (AllocationException e) {
      throw HostErrors.outOfMemory(e);
    }
  }
}
