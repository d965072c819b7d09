package io.cistern.pool;

import io.cistern.layout.ResolvedPool;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Exact-size slices for data that stays, beside the layout: each a block of its own, reused by
 * exact size, given back by explicit cleanups alone.
 */
public final class PersistentPool extends WholeBlockPool {

  /** Its index; those of the layout's pools count from 0. */
  public static final int INDEX = -1;

  // How many blocks the pool has of each size, in bytes; live ones too.
  private final Map<Long, Integer> buckets = new HashMap<>();

  /** Makes an empty pool. */
  public PersistentPool(Ground ground) {
    super(INDEX, new ResolvedPool.Direct(OptionalLong.empty()), OptionalLong.empty(), ground);
  }

  /** Whether the pool has a block, live or free, that is as large as a request would take. */
  public boolean hasBucket(long byteSize) {
    return buckets.containsKey(roundUp(byteSize));
  }

  @Override
  int find(long byteSize, long alignment) {
    return blocks().takeExactly(byteSize);
  }

  @Override
  int grow(long byteSize, long alignment, long requestCount) {
    int slice = growBy(byteSize);
    buckets.merge(byteSize, 1, Integer::sum);
    return slice;
  }

  @Override
  void forget(int page) {
    buckets.computeIfPresent(
        slices().byteSize(page), (size, count) -> count == 1 ? null : count - 1);
    super.forget(page);
  }

  /** Takes a hold on a slice that was handed out before; a free or pending one is live again. */
  public void pin(int slice) {
    SliceNote note = note(slice);
    if (!slices().isTaken(slice)) {
      blocks().takeThis(slice);
      slices().own(slice, slices().requested(slice), 0);
      slices().addHandles(slice, -1);
      watchTaken(slice);
      holdAlone(slice);
    } else if (note != null && note.pending != null) {
      holdPending(slice, note, note.pending);
    } else {
      hold(slice);
    }
  }
}
