package io.cistern.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.SimulatedStorage;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Section 6: a free slice is found in time that does not grow with the number of slices or pages.
 * Counted, not timed: the bookkeeping records that the worst operation looks at have one bound for
 * 100, 10,000 and 1,000,000 live slices.
 */
class FlatCostTest {

  /** Two for each bit of a size below the leading six of its class, of sizes up to 64 MiB / 256. */
  private static final int BOUND = 2 * 12;

  private static final int HALF_SHELF = 32;

  private static final int[] LIVE = {100, 10_000, 1_000_000};

  static Stream<MemoryPoolConfig> pools() {
    return Stream.of(
        MemoryPoolConfig.sliced(MemorySize.ofMiB(64)),
        MemoryPoolConfig.exclusive(MemorySize.ofMiB(64)),
        MemoryPoolConfig.direct());
  }

  @ParameterizedTest
  @MethodSource("pools")
  void theWorstOperationLooksAtABoundedNumberOfRecords(MemoryPoolConfig pool) {
    for (int live : LIVE) {
      assertThat(worstVisits(pool, live, true))
          .as("%s live in %s", live, pool)
          .isBetween(1L, (long) BOUND);
      // Where there are magazines, an operation may fill or empty half a shelf.
      assertThat(worstVisits(pool, live, false))
          .as("%s live in %s, with magazines", live, pool)
          .isBetween(1L, (long) BOUND * HALF_SHELF);
    }
  }

  private static MemoryManager open(
      SimulatedStorage device, MemoryPoolConfig pool, boolean confined) {
    MemoryManagerBuilder builder = MemoryManager.builder(device).pools(MemoryPoolsConfig.of(pool));
    return (confined ? builder.confined() : builder).open();
  }

  private static long worstVisits(MemoryPoolConfig pool, int live, boolean confined) {
    try (SimulatedStorage device = SimulatedStorage.withCapacity(MemorySize.MAX);
        MemoryManager manager = open(device, pool, confined)) {
      Random random = new Random(live);
      Allocation[] held = new Allocation[live];
      for (int i = 0; i < live; i++) {
        held[i] = manager.allocate(size(random));
      }
      long worst = 0;
      long before = manager.visits();
      for (int i = 0; i < 50_000; i++) {
        int replaced = random.nextInt(live);
        held[replaced].close();
        long between = manager.visits();
        held[replaced] = manager.allocate(size(random));
        long after = manager.visits();
        worst = Math.max(worst, Math.max(between - before, after - between));
        before = after;
      }
      for (Allocation allocation : held) {
        allocation.close();
      }
      return worst;
    }
  }

  /** 256 bytes to 64 KiB, and now and then up to 8 MiB; log-uniform. */
  private static long size(Random random) {
    double doublings = random.nextInt(100) == 0 ? 15 : 8;
    return (long) (256 * Math.pow(2, random.nextDouble() * doublings));
  }
}
