package io.cistern.manager;

import io.cistern.pool.Pool;
import java.lang.foreign.MemorySegment;

/**
 * A handle that is watched until it is closed. While there is none, the JVM knows that every handle
 * is a plain one, and calls nothing of this.
 */
final class WatchedAllocation extends Allocation {

  private final HandleWatch watch;
  private final boolean lends;

  /**
   * A watched handle on a live slice.
   *
   * @param lends whether segments end with this handle
   */
  WatchedAllocation(MemoryManager manager, Pool pool, int slice, HandleWatch watch, boolean lends) {
    super(manager, pool, slice, false);
    this.watch = watch;
    this.lends = lends;
  }

  @Override
  public MemorySegment segment() {
    long byteSize = byteSize();
    return lends && byteSize > 0 ? watch.lend(this, byteOffset(), byteSize) : super.segment();
  }

  @Override
  void beforeClose() {
    watch.end();
  }
}
