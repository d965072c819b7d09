package io.cistern.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The presets' formulas, as the reference (CubeCL) has them.
 *
 * <p>Sizes are used as the formulas give them: a largest slice need not be a multiple of the
 * alignment.
 */
final class Presets {

  /** The ladder of sub-slices ends at the first page below this. */
  private static final long SMALLEST_SPLIT_BYTES = 32L << 20;

  /** Each step of the ladder has pages a quarter as large as the one above. */
  private static final int LADDER_STEP = 4;

  private static final int EXCLUSIVE_POOLS = 24;
  private static final double SMALLEST_EXCLUSIVE_BYTES = 32768;

  private static final double PERIOD_PER_GIB = 1L << 30;
  private static final long PERIOD = 5000;

  private Presets() {}

  static List<ResolvedPool> subSlices(long maxPageByteSize, Alignment alignment) {
    List<ResolvedPool> pools = new ArrayList<>();
    pools.add(new ResolvedPool.Exclusive(0, OptionalLong.empty()));
    long page = maxPageByteSize;
    for (int step = 1; page >= SMALLEST_SPLIT_BYTES; step++) {
      long smaller = alignment.up(page / LADDER_STEP);
      if (smaller >= page) {
        break; // The alignment is as large as the page: the ladder has no lower rung.
      }
      page = smaller;
      // From the largest down in the formula, from the smallest up in the list.
      pools.add(1, sliced(page, page >> step));
    }
    pools.add(exclusive(alignment.down(maxPageByteSize)));
    return List.copyOf(pools);
  }

  static List<ResolvedPool> exclusivePages(long maxPageByteSize, Alignment alignment) {
    List<ResolvedPool> pools = new ArrayList<>();
    double smallest = Math.log(SMALLEST_EXCLUSIVE_BYTES);
    double largest = Math.log((double) maxPageByteSize);
    long before = -1;
    for (int i = 0; i < EXCLUSIVE_POOLS; i++) {
      double size = Math.exp(smallest + (largest - smallest) * i / (EXCLUSIVE_POOLS - 1));
      long byteSize = alignment.up(Math.min((long) size, alignment.down(Long.MAX_VALUE)));
      if (byteSize != before) {
        pools.add(exclusive(byteSize));
      }
      before = byteSize;
    }
    return List.copyOf(pools);
  }

  private static ResolvedPool sliced(long pageByteSize, long maxSliceByteSize) {
    return new ResolvedPool.Sliced(
        pageByteSize, maxSliceByteSize, OptionalLong.empty(), OptionalLong.empty());
  }

  private static ResolvedPool exclusive(long byteSize) {
    long period = PERIOD * Math.round(1 + byteSize / PERIOD_PER_GIB);
    return new ResolvedPool.Exclusive(byteSize, OptionalLong.of(period));
  }
}
