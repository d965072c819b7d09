package io.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.layout.ResolvedPool;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Section 5: the first pool in the list that accepts the size serves it. */
class RoutingTableTest {

  private static final OptionalLong NONE = OptionalLong.empty();

  @Test
  void theTableAgreesWithALookAtEachPool() {
    Random random = new Random(3);
    for (int round = 0; round < 300; round++) {
      List<ResolvedPool> pools = new ArrayList<>();
      for (int i = random.nextInt(1, 6); i > 0; i--) {
        pools.add(randomPool(random));
      }
      RoutingTable table = new RoutingTable(pools, 1);
      for (long size = 0; size < 140; size++) {
        assertThat(table.first(size))
            .as("%s bytes in %s", size, pools)
            .isEqualTo(first(pools, size));
      }
    }
  }

  @Test
  void theTableAgreesWithALookAtEachPoolUpToTheLargestSize() {
    List<ResolvedPool> pools = new ArrayList<>();
    for (int bits = 1; bits < Long.SIZE; bits += 5) {
      pools.add(new ResolvedPool.Exclusive((1L << bits) - 2, NONE));
    }
    pools.add(new ResolvedPool.Direct(NONE));
    RoutingTable table = new RoutingTable(pools, 1);
    for (int bits = 0; bits < Long.SIZE; bits++) {
      for (long size = Math.max(0, (1L << bits) - 4);
          size >= 0 && size - (1L << bits) < 4;
          size++) {
        assertThat(table.first(size)).as("%s bytes", size).isEqualTo(first(pools, size));
      }
    }
  }

  private static ResolvedPool randomPool(Random random) {
    long page = random.nextInt(1, 128);
    return switch (random.nextInt(8)) {
      case 0 -> new ResolvedPool.Direct(NONE);
      case 1, 2 -> new ResolvedPool.Exclusive(page, NONE);
      default ->
          new ResolvedPool.Sliced(
              page,
              random.nextLong(1, page + 1),
              random.nextBoolean() ? NONE : OptionalLong.of(2),
              NONE);
    };
  }

  private static int first(List<ResolvedPool> pools, long size) {
    for (int i = 0; i < pools.size(); i++) {
      if (pools.get(i).accepts(size)) {
        return i;
      }
    }
    return RoutingTable.NO_POOL;
  }

  @Test
  void nearPageSizesLeaveLessThanAFifthUnused() {
    var uncapped = new ResolvedPool.Sliced(1000, 100, NONE, NONE);
    assertThat(uncapped.accepts(800)).isFalse();
    assertThat(uncapped.accepts(801)).isTrue();
    assertThat(uncapped.accepts(1000)).isTrue();
    assertThat(uncapped.accepts(1001)).isFalse();
    var capped = new ResolvedPool.Sliced(1000, 100, OptionalLong.of(9), NONE);
    assertThat(capped.accepts(801)).isFalse();
    for (long page = 1; page < 60; page++) {
      var pool = new ResolvedPool.Sliced(page, 1, NONE, NONE);
      for (long size = 2; size <= page; size++) {
        assertThat(pool.accepts(size)).isEqualTo((page - size) * 5 < page);
      }
    }
  }

  @Test
  void whatCantBeRoundedUpIsAcceptedByNone() {
    RoutingTable table = new RoutingTable(List.of(new ResolvedPool.Direct(NONE)), 256);
    assertThat(table.largest()).isEqualTo(Long.MAX_VALUE - 255);
    assertThat(table.first(Long.MAX_VALUE - 255)).isZero();
    assertThat(table.first(Long.MAX_VALUE - 254)).isEqualTo(RoutingTable.NO_POOL);
  }
}
