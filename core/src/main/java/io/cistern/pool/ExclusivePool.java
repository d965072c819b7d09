package io.cistern.pool;

import static io.cistern.page.SliceTable.NONE;

import io.cistern.layout.ResolvedPool;

/** Every allocation gets its own page: the smallest free one that fits, else a new one. */
public final class ExclusivePool extends WholeBlockPool {

  private final long maxAllocByteSize;

  ExclusivePool(int index, ResolvedPool.Exclusive config, Ground ground) {
    super(index, config, config.deallocPeriod(), ground);
    this.maxAllocByteSize = config.maxAllocByteSize();
  }

  @Override
  int take(long byteSize, long alignment, long requestCount) {
    int page = blocks().takeAtLeast(byteSize);
    return page != NONE ? page : growFor(byteSize);
  }

  private int growFor(long byteSize) {
    return grow(byteSize);
  }
}
