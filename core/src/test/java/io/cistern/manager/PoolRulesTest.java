package io.cistern.manager;

import static io.cistern.manager.Pools.bytes;
import static io.cistern.manager.Pools.exclusive;
import static io.cistern.manager.Pools.sliced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.cistern.MemoryUsage;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.storage.MemoryEvent;
import io.cistern.storage.StorageCall.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 6: inside the pools; section 2: what each kind of entry means. */
class PoolRulesTest {

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 10})
  void aFreePageGoesBackBeforeRequestCPlusPeriodPlusOne(long period) {
    for (MemoryPoolConfig timed :
        List.of(
            sliced(1024).withDeallocPeriod(period), exclusive(1024).withDeallocPeriod(period))) {
      try (Pools pools = new Pools(exclusive(0), timed)) {
        pools.use(1024);
        for (long request = 0; request < period; request++) {
          pools.use(0); // Zero-sized requests count.
          assertThat(pools.reserved()).as("%s after %s", timed, request).isEqualTo(1024);
        }
        pools.use(0);
        assertThat(pools.reserved()).as("%s is over", timed).isZero();
      }
    }
  }

  @Test
  void aRequestWithinThePeriodReusesThePageAndTheCountStartsAnew() {
    try (Pools pools = new Pools(exclusive(0), exclusive(1024).withDeallocPeriod(1))) {
      pools.use(1024);
      pools.use(1024);
      pools.use(0);
      assertThat(pools.calls()).containsExactly("+1024");
      pools.use(0);
      assertThat(pools.calls()).containsExactly("+1024", "-1024");
    }
  }

  @Test
  void periodZeroGivesBackBeforeTheNextRequestIsServed() {
    try (Pools pools = new Pools(exclusive(1024).withDeallocPeriod(0))) {
      pools.use(1024);
      pools.use(1024);
      assertThat(pools.calls()).containsExactly("+1024", "-1024", "+1024");
    }
  }

  @Test
  void refusedRequestsCountTowardsPeriods() {
    try (Pools pools = new Pools(exclusive(1024).withDeallocPeriod(1))) {
      pools.use(1024);
      for (int i = 0; i < 2; i++) {
        assertThat(catchThrowable(() -> pools.allocate(5000))).isNotNull();
      }
      assertThat(pools.reserved()).isZero();
    }
  }

  @Test
  void withoutAPeriodAPageStays() {
    try (Pools pools = new Pools(exclusive(0), sliced(1024))) {
      pools.use(1024);
      for (int i = 0; i < 1000; i++) {
        pools.use(0);
      }
      assertThat(pools.reserved()).isEqualTo(1024);
      assertThat(pools.manager.trim()).isEqualTo(bytes(1024));
      assertThat(pools.reserved()).isZero();
    }
  }

  @Test
  void aPartlyUsedPageStays() {
    try (Pools pools = new Pools(exclusive(0), sliced(1024).withDeallocPeriod(0))) {
      Allocation kept = pools.allocate(1);
      pools.use(256);
      pools.use(0);
      assertThat(pools.manager.trim()).isEqualTo(bytes(0));
      assertThat(pools.reserved()).isEqualTo(1024);
      kept.close();
      pools.use(0);
      assertThat(pools.reserved()).isZero();
    }
  }

  @Test
  void aPageThatTheDeviceDoesNotTakeStaysAndIsTriedAgain() {
    try (Pools pools = new Pools(exclusive(0), exclusive(1024).withDeallocPeriod(1))) {
      pools.use(1024);
      pools.failing.refuse(call -> call.kind() == Kind.FREE);
      pools.use(0);
      pools.use(0);
      assertThat(pools.reserved()).isEqualTo(1024);
      assertThat(pools.events.getLast()).isInstanceOf(MemoryEvent.PageKept.class);
      assertThat(pools.manager.trim()).isEqualTo(bytes(0));
      pools.failing.recover();
      pools.use(0);
      assertThat(pools.reserved()).as("its period starts anew").isEqualTo(1024);
      pools.use(0);
      assertThat(pools.reserved()).isZero();
    }
  }

  @Test
  void aDirectPoolReusesByExactAlignedSize() {
    try (Pools pools = new Pools(MemoryPoolConfig.direct())) {
      pools.use(1000);
      pools.use(1024);
      pools.use(769);
      assertThat(pools.calls()).containsExactly("+1024");
      pools.use(768);
      assertThat(pools.calls()).containsExactly("+1024", "+768");
    }
  }

  @Test
  void aDirectPoolReclaimsJustEnoughLongestFreeFirst() {
    try (Pools pools = new Pools(MemoryPoolConfig.direct().withReclaimAt(bytes(4096)))) {
      Allocation a = pools.allocate(1024);
      Allocation b = pools.allocate(1280);
      Allocation c = pools.allocate(1536);
      b.close();
      a.close();
      c.close();
      pools.use(256);
      assertThat(pools.calls())
          .as("up to the mark")
          .containsExactly("+1024", "+1280", "+1536", "+256");
      pools.use(512);
      assertThat(pools.calls()).endsWith("-1280", "+512");
      Allocation large = pools.allocate(8192);
      assertThat(pools.calls()).as("no budget").endsWith("-512", "+8192");
      assertThat(pools.reserved()).isEqualTo(8192);
      large.close();
      pools.use(8192);
      assertThat(pools.calls()).as("exact reuse looks at no mark").endsWith("+8192");
    }
  }

  @Test
  void anExclusivePoolTakesTheSmallestFreePageThatFits() {
    try (Pools pools = new Pools(exclusive(1 << 20))) {
      List<Allocation> all = new ArrayList<>();
      for (long size : new long[] {64 << 10, 16 << 10, 32 << 10}) {
        all.add(pools.allocate(size));
      }
      all.forEach(Allocation::close);
      long before = pools.calls().size();
      Allocation got = pools.allocate(17 << 10);
      assertThat(got.block().byteSize()).isEqualTo(32 << 10);
      assertThat(pools.allocate(20 << 10).block().byteSize()).isEqualTo(64 << 10);
      assertThat(pools.calls()).hasSize((int) before);
    }
  }

  @Test
  void aNewExclusivePageIsRoundedUpWithinTheLimit() {
    try (Pools pools = new Pools(exclusive(33 << 10))) {
      assertThat(pools.allocate((17 << 10) + 1).block().byteSize()).isEqualTo(18 << 10);
      assertThat(pools.allocate(32 << 10).block().byteSize()).as("round").isEqualTo(32 << 10);
      assertThat(pools.allocate((32 << 10) + 1).block().byteSize()).isEqualTo(33 << 10);
      assertThat(pools.allocate(100).block().byteSize()).isEqualTo(256);
    }
  }

  @Test
  void aDeviceThatRefusesTheRoundedPageIsAskedForTheExactOne() {
    try (Pools pools = new Pools((17 << 10) + 256, exclusive(1 << 20))) {
      assertThat(pools.allocate((17 << 10) + 1).block().byteSize()).isEqualTo((17 << 10) + 256);
    }
  }

  @Test
  void zeroSizedRequestsReserveNothingAndNeedNoDriver() {
    try (Pools pools = new Pools(exclusive(1024), sliced(1024))) {
      Allocation zero = pools.allocate(0);
      Allocation another = pools.allocate(0);
      MemoryUsage usage = pools.manager.usage();
      assertThat(usage.allocations()).isEqualTo(2);
      assertThat(usage.reserved()).isEqualTo(bytes(0));
      assertThat(pools.calls()).isEmpty();
      zero.close();
      assertThat(another.isAlive()).isTrue();
      assertThat(another.byteOffset()).isZero();
      assertThat(another.address()).isZero();
      assertThat(another.segment().byteSize()).isZero();
      assertThat(pools.pool(0).usage().allocations()).isEqualTo(1);
    }
  }

  @Test
  void anAlignmentIsKeptAndTakesNoMorePadding() {
    try (Pools pools = new Pools(sliced(16384))) {
      pools.allocate(1);
      Allocation aligned = pools.allocate(100, 4096);
      assertThat(aligned.byteOffset()).isEqualTo(4096);
      assertThat(aligned.address() % 4096).isZero();
      assertThat(pools.manager.usage().padding()).isEqualTo(bytes(255 + 156));
      assertThat(pools.allocate(1, 1).byteOffset()).as("the gap is free").isEqualTo(256);
      pools.manager.checkInvariants();
    }
  }

  @Test
  void aRequestThatFitsNoPageBecauseOfItsAlignmentOpensOne() {
    try (Pools pools = new Pools(sliced(4096))) {
      pools.allocate(256);
      assertThat(pools.allocate(3840, 512).block()).isNotNull();
      assertThat(pools.pool(0).pages()).isEqualTo(2);
    }
  }

  @Test
  void alignmentsThatCantBeKeptAreRefused() {
    try (Pools pools = new Pools(sliced(4096))) {
      for (long bad : new long[] {0, -1, 3, -256, Long.MIN_VALUE}) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> pools.manager.allocate(1, bad))
            .withMessageContaining(Long.toString(bad));
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() -> pools.manager.allocate(1, 8192))
          .withMessageContainingAll("8192", "4096");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> pools.manager.allocate(-1))
          .withMessageContaining("-1");
      assertThat(pools.manager.usage().allocations()).isZero();
    }
  }

  @Test
  void placementIsDeterministic() {
    List<List<Long>> runs = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      Random random = new Random(5);
      List<Long> places = new ArrayList<>();
      try (Pools pools = new Pools(sliced(8192).withMaxPoolSize(bytes(32768)), sliced(65536))) {
        List<Allocation> live = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
          if (live.size() > 40 || (random.nextBoolean() && !live.isEmpty())) {
            live.remove(random.nextInt(live.size())).close();
          } else {
            live.add(pools.allocate(random.nextInt(8000)));
            places.add(live.getLast().pool() * 1_000_000L + live.getLast().byteOffset());
          }
        }
      }
      runs.add(places);
    }
    assertThat(runs.get(0)).isEqualTo(runs.get(1));
  }
}
