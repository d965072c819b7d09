package io.cistern.pool;

import io.cistern.layout.ResolvedPool;
import java.util.OptionalLong;

/**
 * Every allocation is a driver allocation of its own, reused by exact size.
 *
 * <p>A new one that would take the reserved bytes above the watermark first gives free blocks back,
 * longest-free first, just enough of them; the watermark is no budget. Every operation looks at a
 * bounded number of records; the blocks given back are paid for by their making.
 */
public final class DirectPool extends WholeBlockPool {

  private final long reclaimAt;

  DirectPool(int index, ResolvedPool.Direct config, Ground ground) {
    super(index, config, OptionalLong.empty(), ground);
    this.reclaimAt = config.reclaimAtByteSize().orElse(Long.MAX_VALUE);
  }

  @Override
  int find(long byteSize, long alignment) {
    return blocks().takeExactly(byteSize);
  }

  @Override
  int grow(long byteSize, long alignment, long requestCount) {
    giveBackIdleWhile(() -> usage().reserved() > reclaimAt - byteSize, requestCount);
    return growBy(byteSize);
  }
}
