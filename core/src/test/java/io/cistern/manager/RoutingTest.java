package io.cistern.manager;

import static io.cistern.manager.Pools.bytes;
import static io.cistern.manager.Pools.exclusive;
import static io.cistern.manager.Pools.sliced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cistern.AllocationException;
import io.cistern.DeviceMemoryException;
import io.cistern.MemoryUsage;
import io.cistern.OutOfDeviceMemoryException;
import io.cistern.PoolCapacityException;
import io.cistern.SizeNotAcceptedException;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.CountingStorage;
import io.cistern.storage.LimitedStorage;
import io.cistern.storage.MemoryEvent;
import io.cistern.storage.StorageCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 5: which pool serves a request. */
class RoutingTest {

  @Test
  void theFirstPoolThatAcceptsServes() {
    try (Pools pools = new Pools(exclusive(0), sliced(1024), sliced(8192), exclusive(65536))) {
      assertThat(pools.allocate(0).pool()).isZero();
      assertThat(pools.allocate(1).pool()).isEqualTo(1);
      assertThat(pools.allocate(1024).pool()).isEqualTo(1);
      assertThat(pools.allocate(1025).pool()).isEqualTo(2);
      assertThat(pools.allocate(8193).pool()).isEqualTo(3);
    }
  }

  @Test
  void aGrowablePoolOpensAPageBeforeALaterPoolIsAsked() {
    try (Pools pools = new Pools(sliced(1024), sliced(8192))) {
      pools.allocate(1024);
      assertThat(pools.allocate(1024).pool()).isZero();
    }
  }

  @Test
  void aSizeThatNoPoolAcceptsIsRefusedWithTheLargestThatOneDoes() {
    try (Pools pools = new Pools(sliced(1024).withMaxSliceSize(bytes(512)), exclusive(700))) {
      var error =
          catchThrowableOfType(SizeNotAcceptedException.class, () -> pools.manager.allocate(1025));
      assertThat(error.requestedByteSize()).isEqualTo(1025);
      assertThat(error.largestByteSize()).isEqualTo(1024);
      assertThat(pools.events).containsExactly(new MemoryEvent.Refused(1025, error));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 254})
  void aSizeThatCantBeRoundedIsRefusedLikeOneThatNoPoolAccepts(long size) {
    try (Pools pools = new Pools(MemoryPoolConfig.direct())) {
      var error =
          catchThrowableOfType(SizeNotAcceptedException.class, () -> pools.manager.allocate(size));
      assertThat(error.largestByteSize()).isEqualTo(Long.MAX_VALUE - 255);
    }
  }

  @Test
  void aFullCappedPoolSpills() {
    try (Pools pools = new Pools(sliced(1024).withMaxPoolSize(bytes(2047)), sliced(4096))) {
      Allocation first = pools.allocate(1024);
      assertThat(pools.allocate(512).pool()).isEqualTo(1);
      assertThat(pools.allocate(512).pool()).isEqualTo(1);
      assertThat(pools.pool(0).spills()).isEqualTo(2);
      assertThat(pools.events)
          .contains(new MemoryEvent.Spilled(0, 512, true), new MemoryEvent.Spilled(0, 512, false));
      first.close();
      assertThat(pools.allocate(512).pool()).as("room is used again").isZero();
    }
  }

  @Test
  void aSpillIsReportedOnceForEachLayout() {
    try (Pools pools = new Pools(sliced(1024).withMaxPoolSize(bytes(1024)), sliced(4096))) {
      for (int layout = 0; layout < 2; layout++) {
        Allocation full = pools.allocate(1024);
        pools.use(1);
        pools.use(1);
        full.close();
        pools.manager.install(pools.manager.layout().config());
      }
      assertThat(pools.events.stream().filter(new MemoryEvent.Spilled(0, 1, true)::equals))
          .hasSize(2);
    }
  }

  @Test
  void theErrorIsThatOfTheLastFullPool() {
    try (Pools pools =
        new Pools(
            sliced(1024).withMaxPoolSize(bytes(1024)), sliced(4096).withMaxPoolSize(bytes(4096)))) {
      pools.allocate(1000);
      pools.allocate(3500);
      var error =
          catchThrowableOfType(PoolCapacityException.class, () -> pools.manager.allocate(1024));
      assertThat(error.pool()).isEqualTo(1);
      assertThat(error.requestedByteSize()).isEqualTo(1024);
      assertThat(error.capacity()).isEqualTo(4096);
      assertThat(error.inUse()).isEqualTo(3500);
      assertThat(error.free()).isEqualTo(512);
      assertThat(error.largestFree()).isEqualTo(512);
      assertThat(error.getMessage())
          .contains("pool 1", "1024", "capacity 4096", "in use 3500", "largest free run 512");
    }
  }

  @Test
  void aPoolBehindThatDoesNotAcceptIsNoSpill() {
    try (Pools pools = new Pools(sliced(1024).withMaxPoolSize(bytes(1024)), exclusive(256))) {
      pools.allocate(1024);
      assertThat(catchThrowableOfType(PoolCapacityException.class, () -> pools.allocate(512)))
          .isNotNull();
      assertThat(pools.pool(0).spills()).isZero();
      assertThat(pools.allocate(100).pool()).isEqualTo(1);
    }
  }

  @Test
  void aFullCappedPoolServesZeroSizedRequests() {
    try (Pools pools = new Pools(sliced(1024).withMaxPoolSize(bytes(1024)), exclusive(256))) {
      pools.allocate(1024);
      assertThat(pools.allocate(0).pool()).isZero();
    }
  }

  @Test
  void aDriverFailureEndsTheSearchAndTheErrorExplains() {
    try (Pools pools = new Pools(4096, exclusive(1024), sliced(8192), sliced(1024))) {
      Allocation live = pools.allocate(1000);
      MemoryUsage before = pools.manager.usage();
      var error =
          catchThrowableOfType(
              OutOfDeviceMemoryException.class, () -> pools.manager.allocate(1025));
      assertThat(error.requestedByteSize()).isEqualTo(1025);
      assertThat(error.held())
          .isEqualTo(new OutOfDeviceMemoryException.Held(1000, 0, 0, 1024, 0, 0));
      assertThat(error).hasCauseInstanceOf(DeviceMemoryException.class);
      assertThat(error.getMessage())
          .contains("1025", "8192", "in use 1000", "reserved 1024", "largest free run 0");
      assertThat(pools.manager.usage()).as("every total is what it was").isEqualTo(before);
      assertThat(live.isAlive()).isTrue();
    }
  }

  @Test
  void idleMemoryGoesBackBeforeTheDeviceIsOutOfMemory() {
    try (Pools pools = new Pools(1 << 20, sliced(262144), MemoryPoolConfig.direct())) {
      pools.use(262144);
      assertThat(pools.allocate(1 << 20).pool()).isEqualTo(1);
      assertThat(pools.reserved()).isEqualTo(1 << 20);
      assertThat(pools.calls()).containsExactly("+262144", "-262144", "+1048576");
    }
  }

  @Test
  void idleMemoryOfOtherManagersGoesBackToo() {
    try (Pools pools = new Pools(1 << 20, MemoryPoolConfig.direct());
        MemoryManager behind =
            MemoryManager.open(
                new CountingStorage(new LimitedStorage(pools.device, bytes(1 << 19))),
                MemoryPoolsConfig.of(sliced(1 << 19)))) {
      behind.allocate(1).close();
      pools.allocate(1 << 20);
      assertThat(behind.usage().reserved()).isEqualTo(bytes(0));
    }
  }

  @Test
  void theRouteIsTriedOnceMoreAndCountedOnce() {
    try (Pools pools = new Pools(sliced(1024).withMaxPoolSize(bytes(1024)), sliced(4096))) {
      pools.allocate(1024);
      pools.failing.refuse(call -> call.number() == 2);
      assertThat(pools.allocate(1).pool()).isEqualTo(1);
      assertThat(pools.pool(0).spills()).as("the same spill").isEqualTo(1);
      assertThat(pools.pool(1).served()).isEqualTo(1);
    }
  }

  @Test
  void theCapacityErrorWinsOverADriverFailureBehindASpill() {
    try (Pools pools = new Pools(2048, sliced(1024).withMaxPoolSize(bytes(1024)), sliced(4096))) {
      pools.allocate(1024);
      var error =
          catchThrowableOfType(PoolCapacityException.class, () -> pools.manager.allocate(512));
      assertThat(error.pool()).isZero();
      assertThat(error.capacity()).isEqualTo(1024);
      assertThat(error).hasCauseInstanceOf(DeviceMemoryException.class);
      assertThat(pools.pool(0).spills()).as("counted, though refused").isEqualTo(1);
    }
  }

  @Test
  void aRefusedRequestChangesNoTotal() {
    try (Pools pools = new Pools(1 << 20, sliced(4096), MemoryPoolConfig.direct())) {
      pools.allocate(100);
      pools.failing.refuse(call -> call.kind() == StorageCall.Kind.ALLOCATE);
      MemoryUsage before = pools.manager.usage();
      MemoryReport reportBefore = pools.manager.report();
      for (long size : new long[] {4096, 1 << 21, Long.MAX_VALUE}) {
        assertThat(
                catchThrowableOfType(AllocationException.class, () -> pools.manager.allocate(size)))
            .isNotNull();
        pools.manager.checkInvariants();
      }
      assertThat(pools.manager.usage()).isEqualTo(before);
      assertThat(pools.manager.report()).isEqualTo(reportBefore);
      pools.failing.recover();
      assertThat(pools.allocate(4096).pool()).isZero();
    }
  }
}
