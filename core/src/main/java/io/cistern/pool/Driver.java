package io.cistern.pool;

import io.cistern.DeviceMemoryException;
import io.cistern.storage.MemoryEvent;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageBlock;

/**
 * A pool's way to the device's driver: makes and gives back blocks, counts them, tells of them.
 *
 * <p>The pool's reserved bytes change here and nowhere else, so they are the sum of its blocks.
 */
final class Driver {

  private final Storage storage;
  private final EventBuffer events;
  private final int pool;
  private final UsageCounter usage;

  // allocations - frees = blocks that the pool holds; their bytes = usage.reserved().
  private long allocations;
  private long frees;
  private long blocksPeak;

  Driver(Storage storage, EventBuffer events, int pool, UsageCounter usage) {
    this.storage = storage;
    this.events = events;
    this.pool = pool;
    this.usage = usage;
  }

  /**
   * Makes a block.
   *
   * @throws DeviceMemoryException if the device refuses; nothing changed
   */
  StorageBlock make(long byteSize) {
    StorageBlock block = storage.allocate(byteSize);
    allocations++;
    blocksPeak = Math.max(blocksPeak, blocks());
    usage.reserved(byteSize);
    if (events.wanted()) {
      events.add(new MemoryEvent.PageMade(pool, byteSize));
    }
    return block;
  }

  /** Gives a block back; false, and nothing changed, if the device does not take it now. */
  boolean giveBack(StorageBlock block) {
    long byteSize = block.byteSize();
    try {
      storage.free(block);
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

  long blocks() {
    return allocations - frees;
  }

  long blocksPeak() {
    return blocksPeak;
  }
}
