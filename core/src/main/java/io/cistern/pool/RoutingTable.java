package io.cistern.pool;

import io.cistern.layout.ResolvedPool;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Which pool serves a size first.
 *
 * <p>Each pool accepts one or two intervals of sizes, so the first pool that accepts a size is a
 * step function of it. The steps are worked out once, and for each doubling of the size where to
 * begin; a look-up goes on from there over the steps within the doubling, seldom more than two.
 */
public final class RoutingTable {

  /** No pool accepts the size. */
  public static final int NO_POOL = -1;

  private final List<ResolvedPool> pools;

  // Sizes from starts[i] up to below starts[i + 1] are first accepted by pool firsts[i].
  private final long[] starts;
  private final int[] firsts;

  // steps[b] is the step of the smallest size with b bits.
  private final int[] steps = new int[Long.SIZE];

  private final long largest;

  /**
   * Makes the table of a layout.
   *
   * @param pools the pools in routing order
   * @param granule the device's alignment in bytes, a power of two
   */
  public RoutingTable(List<ResolvedPool> pools, long granule) {
    this.pools = List.copyOf(pools);
    long roundable = Long.MAX_VALUE & -granule;
    long accepted = pools.stream().mapToLong(ResolvedPool::maxAcceptedByteSize).max().orElse(0);
    this.largest = Math.min(accepted, roundable);
    this.starts =
        LongStream.concat(LongStream.of(0), pools.stream().flatMapToLong(RoutingTable::borders))
            .filter(size -> size >= 0 && size <= largest)
            .sorted()
            .distinct()
            .toArray();
    this.firsts = Arrays.stream(starts).mapToInt(size -> next(NO_POOL, size)).toArray();
    for (int bits = 1; bits < steps.length; bits++) {
      int at = Arrays.binarySearch(starts, 1L << (bits - 1));
      steps[bits] = at >= 0 ? at : -at - 2;
    }
  }

  /** The sizes at which a pool begins or ceases to accept; below 0 where that leaves the range. */
  private static LongStream borders(ResolvedPool pool) {
    return switch (pool) {
      case ResolvedPool.Sliced sliced ->
          LongStream.of(
              sliced.maxSliceByteSize() + 1, sliced.nearPageByteSize(), sliced.pageByteSize() + 1);
      case ResolvedPool.Exclusive exclusive -> LongStream.of(exclusive.maxAllocByteSize() + 1);
      case ResolvedPool.Direct direct -> LongStream.empty();
    };
  }

  /** The first pool that accepts a size of at least 0 bytes; {@link #NO_POOL} if none does. */
  public int first(long byteSize) {
    if (byteSize > largest) {
      return NO_POOL;
    }
    return firsts[step(byteSize)];
  }

  private int step(long byteSize) {
    int step = steps[Long.SIZE - Long.numberOfLeadingZeros(byteSize)];
    while (step + 1 < starts.length && starts[step + 1] <= byteSize) {
      step++;
    }
    return step;
  }

  /** Whether all sizes from one to another, both included, have the same first pool. */
  boolean isSame(long from, long to) {
    return to <= largest && step(from) == step(to);
  }

  /** The first pool behind another that accepts a size; {@link #NO_POOL} if none does. */
  public int next(int pool, long byteSize) {
    for (int i = pool + 1; i < pools.size(); i++) {
      if (pools.get(i).accepts(byteSize)) {
        return i;
      }
    }
    return NO_POOL;
  }

  /** The largest size that a pool accepts, in bytes. */
  public long largest() {
    return largest;
  }
}
