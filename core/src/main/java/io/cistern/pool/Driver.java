package io.cistern.pool;

import io.cistern.DeviceMemoryException;
import io.cistern.storage.MemoryEvent;
import io.cistern.storage.StorageBlock;

/**
 * A pool's way to the device's driver: makes and gives back blocks, counts them, tells of them.
 *
 * <p>The pool's reserved bytes change here and nowhere else, so they are the sum of its blocks.
 */
final class Driver {

  private final Pool.Ground ground;
  private final EventBuffer events;
  private final int pool;
  private final UsageCounter usage;

  // allocations - frees + unmapped = blocks that the pool holds; their bytes = usage.reserved().
  private long allocations;
  private long frees;
  private long unmapped;
  private long blocksPeak;

  Driver(Pool.Ground ground, int pool, UsageCounter usage) {
    this.ground = ground;
    this.events = ground.events();
    this.pool = pool;
    this.usage = usage;
  }

  /**
   * Makes a block; in a dry run one that the driver knows nothing of.
   *
   * @throws DeviceMemoryException if the device refuses; nothing changed
   */
  StorageBlock make(long byteSize) {
    if (!usage.canReserve(byteSize)) {
      // No device has as much, but what dry runs ask for is bounded by nothing else.
      throw new DeviceMemoryException(
          "asked for " + byteSize + " bytes more, and all that is reserved would be above 2^63-1",
          byteSize,
          DeviceMemoryException.Reason.OUT_OF_MEMORY);
    }
    StorageBlock block;
    if (ground.dryRun().isOn()) {
      block = new UnmappedBlock(byteSize);
      countUnmapped(1);
    } else {
      block = call(byteSize);
    }
    blocksPeak = Math.max(blocksPeak, blocks());
    usage.reserved(byteSize);
    return block;
  }

  /**
   * Makes the block that an unmapped one stands for.
   *
   * @throws DeviceMemoryException if the device refuses; nothing changed
   */
  StorageBlock map(UnmappedBlock block) {
    StorageBlock mapped = call(block.byteSize());
    countUnmapped(-1);
    return mapped;
  }

  private void countUnmapped(int blocks) {
    unmapped += blocks;
    ground.dryRun().unmapped(blocks);
  }

  private StorageBlock call(long byteSize) {
    StorageBlock block = ground.storage().allocate(byteSize);
    allocations++;
    if (events.wanted()) {
      events.add(new MemoryEvent.PageMade(pool, byteSize));
    }
    return block;
  }

  /** Gives a block back; false, and nothing changed, if the device does not take it now. */
  boolean giveBack(StorageBlock block) {
    long byteSize = block.byteSize();
    if (block instanceof UnmappedBlock) {
      countUnmapped(-1);
      usage.unreserved(byteSize);
      return true;
    }
    try {
      ground.storage().free(block);
    } catch (DeviceMemoryException e) {
      if (events.wanted()) {
        events.add(new MemoryEvent.PageKept(pool, byteSize, e));
      }
      return false;
    }
    frees++;
    usage.unreserved(byteSize);
    if (events.wanted()) {
      events.add(new MemoryEvent.PageGivenBack(pool, byteSize));
    }
    return true;
  }

  /** As {@link #giveBack}, when the storage may be closed already and so has every block back. */
  void abandon(StorageBlock block) {
    try {
      giveBack(block);
    } catch (IllegalArgumentException alreadyBack) {
      frees++;
      usage.unreserved(block.byteSize());
    }
  }

  long allocations() {
    return allocations;
  }

  long frees() {
    return frees;
  }

  /** The blocks that the driver knows nothing of. */
  long unmapped() {
    return unmapped;
  }

  long blocks() {
    return allocations - frees + unmapped;
  }

  long blocksPeak() {
    return blocksPeak;
  }
}
