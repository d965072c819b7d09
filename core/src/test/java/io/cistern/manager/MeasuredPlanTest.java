package io.cistern.manager;

import static io.cistern.manager.Pools.bytes;
import static io.cistern.manager.Pools.exclusive;
import static io.cistern.manager.Pools.sliced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.AllocationException;
import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.layout.PoolLayout;
import io.cistern.layout.ResolvedPool;
import io.cistern.manager.MemoryReport.PoolReport;
import io.cistern.storage.CountingStorage;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Section 10: what was measured in a dry run fits a layout that is capped at its peaks. */
class MeasuredPlanTest {

  private static final long MIB = 1 << 20;
  private static final MemoryPoolsConfig.Explicit LAYOUT =
      new MemoryPoolsConfig.Explicit(
          List.of(
              exclusive(0),
              sliced(MIB).withMaxSliceSize(bytes(64 << 10)).withDeallocPeriod(50),
              sliced(4 * MIB).withMaxSliceSize(bytes(MIB)).withMaxPoolSize(bytes(4 * MIB)),
              exclusive(3 * MIB).withDeallocPeriod(20),
              MemoryPoolConfig.direct().withReclaimAt(bytes(10 * MIB))));

  private static DeviceProperties device(long alignment, long maxPageByteSize) {
    return new DeviceProperties(
        "device",
        MemorySize.of(Long.MAX_VALUE),
        MemorySize.of(maxPageByteSize),
        alignment,
        alignment,
        Set.of());
  }

  @ParameterizedTest
  @MethodSource("presets")
  void presetsBecomeExplicitAndMeanTheSame(MemoryPoolsConfig preset) {
    for (long maxPage : new long[] {0, 1000, 128 << 20, 20L << 30, (1L << 40) + 12_345}) {
      for (long alignment : new long[] {1, 32, 256, 65_536}) {
        DeviceProperties device = device(alignment, maxPage);
        List<ResolvedPool> expected =
            PoolLayout.resolve(preset, device).pools().stream()
                .map(pool -> outOfReach(pool, alignment))
                .toList();
        MemoryPoolsConfig toMeasure = MeasuredPlan.toMeasure(preset, device);
        assertThat(PoolLayout.resolve(toMeasure, device).pools()).isEqualTo(expected);
      }
    }
  }

  private static List<MemoryPoolsConfig> presets() {
    return List.of(MemoryPoolsConfig.Preset.values());
  }

  private static ResolvedPool outOfReach(ResolvedPool pool, long alignment) {
    return pool instanceof ResolvedPool.Sliced(long page, long slice, OptionalLong _, var period)
        ? new ResolvedPool.Sliced(
            page,
            Math.ceilDiv(slice, alignment) * alignment,
            OptionalLong.of(Long.MAX_VALUE / page),
            period)
        : pool;
  }

  @Test
  void capsThatWereThereAreOutOfReachToo() {
    DeviceProperties device = device(256, MIB);
    List<ResolvedPool> pools = PoolLayout.resolve(LAYOUT, device).pools();
    assertThat(PoolLayout.resolve(MeasuredPlan.toMeasure(LAYOUT, device), device).pools())
        .isEqualTo(pools.stream().map(pool -> outOfReach(pool, 256)).toList());
  }

  /** A request of some bytes, or the free of the allocation with a number. */
  private record Operation(boolean isRequest, long value) {}

  /** Where a request was served. */
  private record Spot(int pool, long byteOffset) {}

  /** Sizes of all magnitudes, zero and near-page sizes among them; everything is freed. */
  private static List<Operation> randomWorkload(Random random) {
    long[] sizes = {0, 1, 64 << 10, MIB, 900_000, 4_000_000, MIB - 1};
    List<Operation> operations = new ArrayList<>();
    List<Long> live = new ArrayList<>();
    for (long request = 0; request < 400; request++) {
      long any = random.nextLong(1L << random.nextInt(4, 23));
      long size = random.nextInt(8) == 0 ? sizes[random.nextInt(sizes.length)] : any;
      operations.add(new Operation(true, size));
      live.add(request);
      while (!live.isEmpty() && random.nextInt(100) < 48) {
        operations.add(new Operation(false, live.remove(random.nextInt(live.size()))));
      }
    }
    live.forEach(request -> operations.add(new Operation(false, request)));
    return operations;
  }

  private static List<Spot> run(MemoryManager manager, List<Operation> workload) {
    List<Allocation> handles = new ArrayList<>();
    List<Spot> spots = new ArrayList<>();
    for (Operation operation : workload) {
      if (operation.isRequest) {
        Allocation handle = manager.allocate(operation.value);
        handles.add(handle);
        spots.add(new Spot(handle.pool(), handle.byteOffset()));
      } else {
        handles.get(Math.toIntExact(operation.value)).close();
      }
      manager.checkInvariants();
    }
    return spots;
  }

  private static List<MemoryPoolsConfig> layouts() {
    return List.of(LAYOUT, MemoryPoolsConfig.subSlices(), MemoryPoolsConfig.exclusivePages());
  }

  private static Storage device() {
    return SimulatedStorage.open(
        StorageOptions.DEFAULT.withByteAlignment(256).withMaxPageSize(MemorySize.ofMiB(64)));
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void whatWasMeasuredUnmappedFitsItsPeaksExactly(MemoryPoolsConfig pools) {
    long[] seeds = LongStream.range(0, 10).toArray();
    if (Long.getLong("cistern.seed") != null) {
      seeds = new long[] {Long.getLong("cistern.seed")};
    }
    for (long seed : seeds) {
      List<Operation> workload = randomWorkload(new Random(seed));
      try (CountingStorage storage = new CountingStorage(device());
          MemoryManager memory =
              MemoryManager.open(storage, MeasuredPlan.toMeasure(pools, storage.properties()))) {
        List<Spot> measured;
        try (DryRun _ = memory.openDryRun()) {
          measured = run(memory, workload);
        }
        MemoryReport report = memory.report();
        MemoryPoolsConfig.Explicit capped = MeasuredPlan.capped(report);
        memory.install(capped);
        assertThat(storage.allocations()).as("seed %s", seed).isZero();
        assertThat(memory.usage().reserved()).isEqualTo(MemorySize.ZERO);

        assertThat(run(memory, workload)).as("seed %s", seed).isEqualTo(measured);
        assertThat(memory.report().pools())
            .allMatch(pool -> pool.spills() == 0)
            .extracting(PoolReport::pagesPeak)
            .isEqualTo(report.pools().stream().map(PoolReport::pagesPeak).toList());
        checkTight(memory, capped, report, workload);
      }
    }
  }

  /** With a page less, a pool is full at some moment. */
  private static void checkTight(
      MemoryManager memory,
      MemoryPoolsConfig.Explicit capped,
      MemoryReport measured,
      List<Operation> workload) {
    for (int i = 0; i < capped.pools().size(); i++) {
      long pages = measured.pools().get(i).pagesPeak();
      if (pages > 1 && capped.pools().get(i) instanceof MemoryPoolConfig.Sliced pool) {
        List<MemoryPoolConfig> tighter = new ArrayList<>(capped.pools());
        tighter.set(i, pool.withMaxPoolSize(MemorySize.of(pool.pageSize().bytes() * (pages - 1))));
        memory.install(new MemoryPoolsConfig.Explicit(tighter));
        assertThat(runTellsOfFull(memory, workload, i)).isTrue();
      }
    }
  }

  private static boolean runTellsOfFull(MemoryManager memory, List<Operation> workload, int pool) {
    List<Allocation> handles = new ArrayList<>();
    try {
      for (Operation operation : workload) {
        if (operation.isRequest) {
          handles.add(memory.allocate(operation.value));
        } else {
          handles.get(Math.toIntExact(operation.value)).close();
        }
      }
    } catch (AllocationException e) {
      handles.stream().filter(Allocation::isAlive).forEach(Allocation::close);
      return true;
    }
    return memory.report().pools().get(pool).spills() > 0;
  }

  @Test
  void nearPageSizesGoWhereACapSendsThem() {
    MemoryPoolsConfig pools =
        MemoryPoolsConfig.of(sliced(MIB).withMaxSliceSize(bytes(64 << 10)), exclusive(MIB));
    try (Storage storage = device();
        MemoryManager memory = MemoryManager.open(storage, pools)) {
      Allocation near = memory.allocate(1_000_000);
      assertThat(near.pool()).isZero();
      near.close();
      MemoryReport uncapped = memory.report();
      assertThatThrownBy(() -> MeasuredPlan.capped(uncapped))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("pool 0 was measured without a cap");

      memory.install(MeasuredPlan.toMeasure(pools, storage.properties()));
      try (DryRun _ = memory.openDryRun();
          Allocation measured = memory.allocate(1_000_000)) {
        assertThat(measured.pool()).isEqualTo(1);
      }
      MemoryPoolsConfig.Explicit capped = MeasuredPlan.capped(memory.report());
      assertThat(capped.pools())
          .containsExactly(
              sliced(MIB).withMaxSliceSize(bytes(64 << 10)).withMaxPoolSize(bytes(MIB)),
              exclusive(MIB));
      memory.install(capped);
      try (Allocation again = memory.allocate(1_000_000)) {
        assertThat(again.pool()).isEqualTo(1);
      }
    }
  }

  @Test
  void whereACapChangesNothingNoneIsNeededToMeasure() {
    try (Storage storage = device();
        MemoryManager memory = MemoryManager.open(storage, MemoryPoolsConfig.of(sliced(MIB)));
        Allocation _ = memory.allocate(700_000);
        Allocation _ = memory.allocate(700_000)) {
      assertThat(MeasuredPlan.capped(memory.report()).pools())
          .containsExactly(
              sliced(MIB).withMaxSliceSize(bytes(MIB)).withMaxPoolSize(bytes(2 * MIB)));
    }
  }

  @Test
  void severalStreamsGetTheLargestOfTheirPeaks() {
    try (Storage storage = device();
        DeviceMemory memory =
            DeviceMemory.open(storage, MeasuredPlan.toMeasure(LAYOUT, storage.properties()))) {
      List<Allocation> live = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        live.add(memory.stream(0).allocate(MIB)); // 4 a page
      }
      for (int i = 0; i < 33; i++) {
        live.add(memory.stream(1).allocate(64 << 10)); // 16 a page
      }
      live.add(memory.stream(1).allocate(3 * MIB));
      live.forEach(Allocation::close);
      PoolLayout layout = memory.stream(0).layout();
      List<MemoryReport> reports =
          memory.streams().values().stream().map(MemoryManager::report).toList();
      assertThat(MeasuredPlan.capped(layout, reports).pools())
          .extracting(MeasuredPlanTest::cap)
          .containsExactly(-1L, 3 * MIB, 8 * MIB, -1L, -1L);
      assertThat(MeasuredPlan.capped(layout, List.of()).pools())
          .extracting(MeasuredPlanTest::cap)
          .containsExactly(-1L, MIB, 4 * MIB, -1L, -1L);
      PoolLayout other = PoolLayout.resolve(LAYOUT, storage.properties());
      assertThatThrownBy(() -> MeasuredPlan.capped(other, reports))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("can't be made of a run on");
    }
  }

  private static long cap(MemoryPoolConfig pool) {
    return pool instanceof MemoryPoolConfig.Sliced sliced
        ? sliced.maxPoolSize().map(MemorySize::bytes).orElse(0L)
        : -1;
  }
}
