package io.cistern.trace.replay;

import io.cistern.trace.picture.MemoryMap;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** Keeps the largest allocations of a pass; of equals the first. */
final class LargestAllocations {

  static final int MOST = 50;

  /** One of them, and where to find it at its free. */
  private static final class Large {
    final int slot;
    MemoryMap.Large told;

    Large(int slot, MemoryMap.Large told) {
      this.slot = slot;
      this.told = told;
    }

    long byteSize() {
      return told.byteSize();
    }

    long firstRow() {
      return told.firstRow();
    }
  }

  private static final Comparator<Large> LARGEST_FIRST =
      Comparator.comparingLong(Large::byteSize).reversed().thenComparingLong(Large::firstRow);

  // The least of them is the head. Those without an end yet are found by slot too.
  private final PriorityQueue<Large> kept = new PriorityQueue<>(LARGEST_FIRST.reversed());
  private final Map<Integer, Large> live = new HashMap<>();

  /** A row was served. */
  void served(Chunk chunk, int row, long rowNumber, int pool) {
    long byteSize = chunk.byteSizes[row];
    if (kept.size() == MOST) {
      if (byteSize <= kept.element().byteSize()) {
        return;
      }
      Large least = kept.remove();
      live.remove(least.slot, least);
    }
    Large large =
        new Large(
            chunk.slots[row],
            new MemoryMap.Large(
                byteSize,
                chunk.ids[row],
                chunk.lines[row],
                pool,
                rowNumber,
                chunk.timesMicros[row],
                0,
                0,
                chunk.origins[row]));
    kept.add(large);
    live.put(large.slot, large);
  }

  /** What was in a slot was freed. */
  void freed(int slot, long rowNumber, long timeMicros) {
    Large large = live.remove(slot);
    if (large != null) {
      MemoryMap.Large told = large.told;
      large.told =
          new MemoryMap.Large(
              told.byteSize(),
              told.id(),
              told.line(),
              told.pool(),
              told.firstRow(),
              told.firstMicros(),
              rowNumber,
              timeMicros,
              told.origin());
    }
  }

  /** The largest first. */
  List<MemoryMap.Large> inOrder() {
    return kept.stream().sorted(LARGEST_FIRST).map(large -> large.told).toList();
  }
}
