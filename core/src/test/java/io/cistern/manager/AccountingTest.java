package io.cistern.manager;

import static io.cistern.manager.Pools.bytes;
import static io.cistern.manager.Pools.exclusive;
import static io.cistern.manager.Pools.sliced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cistern.DeviceMemoryException;
import io.cistern.MemoryUsage;
import io.cistern.PoolsInUseException;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.layout.LayoutException;
import io.cistern.layout.ResolvedPool;
import io.cistern.storage.MemoryEvent;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageCall.Kind;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Sections 9 to 11: what is counted, reports, and installing a layout. */
class AccountingTest {

  @Test
  void usageCountsRequestsPaddingAndPages() {
    try (Pools pools = new Pools(sliced(4096), exclusive(65536))) {
      Allocation a = pools.allocate(1000);
      pools.allocate(300);
      pools.allocate(5000);
      a.close();
      assertThat(pools.manager.usage())
          .isEqualTo(
              new MemoryUsage(
                  2,
                  bytes(5300),
                  bytes(212 + 120),
                  bytes(4096 + 5120),
                  bytes(0),
                  bytes(0),
                  3,
                  bytes(6300),
                  bytes(24 + 212 + 120),
                  bytes(4096 + 5120)));
    }
  }

  @Test
  void theTotalsPeakIsTheLargestSumAtOneMoment() {
    try (Pools pools = new Pools(sliced(1024), exclusive(65536))) {
      pools.use(1024);
      pools.use(5120);
      assertThat(pools.manager.usage().inUsePeak()).isEqualTo(bytes(5120));
      assertThat(pools.pool(0).usage().inUsePeak()).isEqualTo(bytes(1024));
      assertThat(pools.manager.usage().reservedPeak()).isEqualTo(bytes(6144));
    }
  }

  @Test
  void totalsDoNotDriftOverEqualCycles() {
    try (Pools pools = new Pools(sliced(4096).withMaxPoolSize(bytes(8192)), exclusive(3000))) {
      MemoryUsage after = null;
      for (int cycle = 0; cycle < 5; cycle++) {
        Allocation a = pools.allocate(3000);
        Allocation b = pools.allocate(4000);
        Allocation c = pools.allocate(2000);
        a.close();
        c.close();
        b.close();
        pools.manager.trim();
        assertThat(after == null || after.equals(pools.manager.usage())).isTrue();
        after = pools.manager.usage();
      }
      assertThat(after.reserved()).isEqualTo(bytes(0));
      assertThat(after.allocations()).isZero();
    }
  }

  @Test
  void aReportTellsOfEachPool() {
    try (Pools pools = new Pools(sliced(4096).withMaxPoolSize(bytes(4096)), exclusive(65536))) {
      pools.allocate(1000);
      pools.use(4000);
      MemoryReport.PoolReport first = pools.pool(0);
      assertThat(first.config())
          .isEqualTo(new ResolvedPool.Sliced(4096, 4096, OptionalLong.of(1), OptionalLong.empty()));
      assertThat(first.pages()).isEqualTo(1);
      assertThat(first.pagesPeak()).isEqualTo(1);
      assertThat(first.pagesUnmapped()).isZero();
      assertThat(first.largestAlloc()).isEqualTo(bytes(1000));
      assertThat(first.served()).isEqualTo(1);
      assertThat(first.spills()).isEqualTo(1);
      assertThat(first.driverAllocations()).isEqualTo(1);
      assertThat(first.free()).isEqualTo(bytes(3072));
      assertThat(first.largestFree()).isEqualTo(bytes(3072));
      assertThat(pools.pool(1).free()).isEqualTo(bytes(4096));
      pools.manager.trim();
      assertThat(pools.pool(1).driverFrees()).isEqualTo(1);
      assertThat(pools.pool(1).pages()).isZero();
      assertThat(pools.pool(1).pagesPeak()).as("marks stay").isEqualTo(1);
      assertThat(pools.manager.pages(0))
          .containsExactly(new MemoryReport.PageReport(bytes(4096), bytes(3072), bytes(3072), 1));
      assertThatThrownBy(() -> pools.manager.pages(2))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void pagesAreToldWithTheirFreeRuns() {
    try (Pools pools = new Pools(sliced(1024), exclusive(65536))) {
      Allocation a = pools.allocate(256);
      pools.allocate(256);
      a.close();
      pools.allocate(2048);
      pools.use(4096);
      assertThat(pools.manager.pages(0))
          .containsExactly(new MemoryReport.PageReport(bytes(1024), bytes(768), bytes(512), 1));
      assertThat(pools.manager.pages(1))
          .containsExactly(
              new MemoryReport.PageReport(bytes(2048), bytes(0), bytes(0), 1),
              new MemoryReport.PageReport(bytes(4096), bytes(4096), bytes(4096), 0));
    }
  }

  @Test
  void installingCleansUpSwapsAndStartsMarksAfresh() {
    try (Pools pools = new Pools(sliced(4096))) {
      pools.use(1000);
      MemoryPoolsConfig next = MemoryPoolsConfig.of(exclusive(65536));
      pools.manager.install(next);
      assertThat(pools.calls()).containsExactly("+4096", "-4096");
      assertThat(pools.manager.layout().config()).isEqualTo(next);
      assertThat(pools.manager.usage().inUsePeak()).isEqualTo(bytes(0));
      assertThat(pools.manager.report().pools()).hasSize(1);
      assertThat(pools.pool(0).served()).isZero();
      assertThat(pools.events.getLast()).isEqualTo(new MemoryEvent.Installed(next));
      assertThat(pools.allocate(5000).block().byteSize()).isEqualTo(5120);
    }
  }

  @Test
  void installingIsRefusedWhileAllocationsAreLiveAndNothingIsDisturbed() {
    try (Pools pools = new Pools(exclusive(0), sliced(4096))) {
      pools.use(4096);
      Allocation zero = pools.allocate(0);
      MemoryReport before = pools.manager.report();
      var error =
          catchThrowableOfType(
              PoolsInUseException.class,
              () -> pools.manager.install(MemoryPoolsConfig.exclusivePages()));
      assertThat(error.allocations()).isEqualTo(1);
      assertThat(error.inUse()).isZero();
      assertThat(pools.manager.report()).isEqualTo(before);
      zero.close();
      pools.manager.install(MemoryPoolsConfig.exclusivePages());
    }
  }

  @Test
  void aFaultyLayoutIsRefusedBeforeAnythingIsCleanedUp() {
    try (Pools pools = new Pools(sliced(4096))) {
      pools.use(1);
      assertThatThrownBy(() -> pools.manager.install(MemoryPoolsConfig.of()))
          .isInstanceOf(LayoutException.class);
      assertThat(pools.reserved()).isEqualTo(4096);
    }
  }

  @Test
  void theLayoutStaysWhenTheDeviceKeepsAPage() {
    try (Pools pools = new Pools(sliced(4096))) {
      pools.use(1);
      pools.failing.refuse(call -> call.kind() == Kind.FREE);
      assertThatThrownBy(() -> pools.manager.install(MemoryPoolsConfig.exclusivePages()))
          .isInstanceOf(DeviceMemoryException.class)
          .hasMessageContaining("4096");
      assertThat(pools.allocate(1).pool()).isZero();
      assertThat(pools.calls()).as("the page is in use again").containsExactly("+4096");
    }
  }

  @Test
  void streamsCountTogether() {
    try (SimulatedStorage device = SimulatedStorage.withCapacity(bytes(1 << 20));
        DeviceMemory memory =
            DeviceMemory.open(
                device, MemoryPoolsConfig.of(sliced(4096).withMaxPoolSize(bytes(4096))))) {
      Allocation a = memory.stream(0).allocate(4096);
      Allocation b = memory.stream(7).allocate(4000);
      assertThat(memory.stream(0)).isSameAs(memory.stream(0));
      assertThat(memory.streams().keySet()).containsExactly(0, 7);
      assertThat(memory.usage().inUse()).isEqualTo(bytes(8096));
      a.close();
      b.close();
      memory.stream(7).allocate(100).close();
      assertThat(memory.usage().inUsePeak()).isEqualTo(bytes(8096));
      assertThat(memory.usage().reservedPeak()).as("caps hold per stream").isEqualTo(bytes(8192));
      assertThat(memory.stream(7).usage().inUsePeak()).isEqualTo(bytes(4000));
    }
  }

  @Test
  void aClosedStreamLeavesTheTotals() {
    try (SimulatedStorage device = SimulatedStorage.withCapacity(bytes(1 << 20));
        DeviceMemory memory = DeviceMemory.open(device, MemoryPoolsConfig.of(sliced(4096)))) {
      MemoryManager ended = memory.stream(1);
      Allocation kept = ended.allocate(1000);
      memory.stream(2).allocate(1).close();
      ended.close();
      kept.close();
      MemoryUsage usage = memory.usage();
      assertThat(usage.allocations()).isZero();
      assertThat(usage.inUse()).isEqualTo(bytes(0));
      assertThat(usage.reserved()).isEqualTo(bytes(4096)).isEqualTo(device.allocated());
    }
  }

  @Test
  void aDeviceMemoryThatIsClosedOpensNoStream() {
    SimulatedStorage device = SimulatedStorage.withCapacity(bytes(1 << 20));
    DeviceMemory memory =
        DeviceMemory.open(device, MemoryPoolsConfig.of(MemoryPoolConfig.direct()));
    MemoryManager stream = memory.stream(0);
    memory.close();
    memory.close();
    assertThatThrownBy(() -> memory.stream(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> stream.allocate(1)).isInstanceOf(IllegalStateException.class);
  }
}
