package io.cistern.model;

import io.cistern.MemorySize;
import io.cistern.MemoryUsage;
import java.util.List;

/** Section 9: the totals of some pools at this moment, and the largest of them so far. */
final class Peaks {

  private long allocations;
  private long inUse;
  private long padding;
  private long reserved;

  /** Notes the totals of some pools where they are the largest so far. */
  void raise(List<ModelPool> pools) {
    long nowLive = 0;
    long nowInUse = 0;
    long nowPadding = 0;
    long nowReserved = 0;
    for (ModelPool pool : pools) {
      nowLive += pool.live.size();
      for (Region region : pool.live) {
        nowInUse += region.byteSize;
        nowPadding += region.padded - region.byteSize;
      }
      nowReserved += pool.reserved();
    }
    allocations = Math.max(allocations, nowLive);
    inUse = Math.max(inUse, nowInUse);
    padding = Math.max(padding, nowPadding);
    reserved = Math.max(reserved, nowReserved);
  }

  /** Begins anew. */
  void reset() {
    allocations = 0;
    inUse = 0;
    padding = 0;
    reserved = 0;
  }

  /** What the memory of some pools is used for now, with these peaks. */
  MemoryUsage usage(List<ModelPool> pools) {
    long live = 0;
    long nowInUse = 0;
    long nowPadding = 0;
    long nowReserved = 0;
    long pending = 0;
    long pinned = 0;
    for (ModelPool pool : pools) {
      live += pool.live.size();
      for (Region region : pool.live) {
        nowInUse += region.byteSize;
        nowPadding += region.padded - region.byteSize;
        pinned += region.handles == 0 ? region.byteSize : 0;
      }
      nowReserved += pool.reserved();
      pending += pool.pending();
    }
    return new MemoryUsage(
        live,
        MemorySize.of(nowInUse),
        MemorySize.of(nowPadding),
        MemorySize.of(nowReserved),
        MemorySize.of(pending),
        MemorySize.of(pinned),
        allocations,
        MemorySize.of(inUse),
        MemorySize.of(padding),
        MemorySize.of(reserved));
  }
}
