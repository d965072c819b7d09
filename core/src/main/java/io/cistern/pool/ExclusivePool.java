package io.cistern.pool;

import static io.cistern.page.SliceTable.NONE;

import io.cistern.DeviceMemoryException;
import io.cistern.layout.ResolvedPool;

/**
 * Every allocation gets its own page: the smallest free one that fits, else a new one.
 *
 * <p><b>The size of a new page.</b> Rounding it up a little lets more requests share it in turn: to
 * a multiple of an eighth of the power of two below the request, and of a quarter while the pool
 * has a free page, which must be one that just missed. Sizes that are round already stay as they
 * are. Measured against exact pages on real traces, this makes fewer driver calls at about the same
 * peak (docs/adr/0004). A device that refuses the rounded page is asked for the exact one.
 */
public final class ExclusivePool extends WholeBlockPool {

  private static final int STEPS = 8;
  private static final int STEPS_WHEN_MISSED = 4;

  private final long maxAllocByteSize;

  ExclusivePool(int index, ResolvedPool.Exclusive config, Ground ground) {
    super(index, config, config.deallocPeriod(), ground);
    this.maxAllocByteSize = config.maxAllocByteSize();
  }

  @Override
  int find(long byteSize, long alignment) {
    return blocks().takeAtLeast(byteSize);
  }

  @Override
  int grow(long byteSize, long alignment, long requestCount) {
    long rounded = newPageByteSize(byteSize);
    try {
      return growBy(rounded);
    } catch (DeviceMemoryException e) {
      if (rounded == byteSize) {
        throw e;
      }
      return growBy(byteSize);
    }
  }

  private long newPageByteSize(long byteSize) {
    int steps = longestIdle() == NONE ? STEPS : STEPS_WHEN_MISSED;
    // Below 8 granules a step would be less than one: then the request is as round as can be.
    long step = Math.max(granule(), Long.highestOneBit(byteSize) / steps);
    long rounded = (byteSize + step - 1) & -step;
    return rounded < byteSize ? byteSize : Math.min(rounded, maxAllocByteSize);
  }
}
