package io.cistern.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.MemorySize;
import io.cistern.MemoryUsage;
import io.cistern.layout.ResolvedPool;
import io.cistern.manager.DeviceMemory;
import io.cistern.manager.MemoryManager;
import io.cistern.manager.MemoryReport;
import io.cistern.manager.MemoryReport.PoolReport;
import io.cistern.storage.CountingStorage;
import java.util.List;
import java.util.function.Function;

/** What holds after every step, whatever was done: the equations of the contract on counting. */
public final class Invariants {

  private Invariants() {}

  /** Checks a manager that is the only one on its storage against it and against the ledger. */
  public static void check(MemoryManager manager, CountingStorage storage, Ledger ledger) {
    MemoryReport report = manager.report();
    List<PoolReport> pools = report.allPools();
    for (PoolReport pool : pools) {
      checkPool(pool);
      String name = "pool " + pool.index();
      checkAgainst(ledger.of(pool.index()), ledger.pending(pool.index()), pool.usage(), name);
      if (!ledger.everPending()) {
        checkWatermark(pool);
      }
    }
    checkAgainst(ledger.total(), ledger.pending(), report.usage(), "all pools");
    checkUsage(report.usage(), "all pools");
    assertThat(report.usage()).as("usage beside report").isEqualTo(manager.usage());
    checkSums(report.usage(), pools);
    long mapped = pools.stream().mapToLong(pool -> pool.pages() - pool.pagesUnmapped()).sum();
    assertThat(storage.allocations() - storage.frees())
        .as("blocks that the driver has out")
        .isEqualTo(mapped);
    if (pools.stream().allMatch(pool -> pool.pagesUnmapped() == 0)) {
      assertThat(storage.allocated())
          .as("bytes that the driver has out")
          .isEqualTo(report.usage().reserved());
    }
  }

  /**
   * Checks the managers of a device's streams, which are the only ones on its storage and have no
   * dry run. A stream that has ended while something of it is live is in the sum alone.
   */
  public static void check(DeviceMemory memory, CountingStorage storage, Ledger ledger) {
    MemoryUsage usage = memory.usage();
    long reserved = 0;
    for (MemoryManager manager : memory.streams().values()) {
      MemoryReport report = manager.report();
      report.allPools().forEach(Invariants::checkPool);
      checkUsage(report.usage(), manager.name());
      checkSums(report.usage(), report.allPools());
      reserved += report.usage().reserved().bytes();
    }
    checkUsage(usage, "all streams");
    checkAgainst(ledger.total(), ledger.pending(), usage, "all streams");
    assertThat(reserved).as("open streams").isLessThanOrEqualTo(usage.reserved().bytes());
    assertThat(storage.allocated()).as("bytes that the driver has out").isEqualTo(usage.reserved());
  }

  private static void checkSums(MemoryUsage usage, List<PoolReport> pools) {
    assertThat(sum(pools, MemoryUsage::reserved)).as("reserved").isEqualTo(usage.reserved());
    assertThat(sum(pools, MemoryUsage::pending)).as("pending").isEqualTo(usage.pending());
    assertThat(sum(pools, MemoryUsage::pinned)).as("pinned").isEqualTo(usage.pinned());
  }

  private static MemorySize sum(List<PoolReport> pools, Function<MemoryUsage, MemorySize> part) {
    return pools.stream()
        .map(pool -> part.apply(pool.usage()))
        .reduce(MemorySize.ZERO, MemorySize::plus);
  }

  private static void checkPool(PoolReport pool) {
    String name = "pool " + pool.index();
    checkUsage(pool.usage(), name);
    assertThat(pool.pagesPeak()).as("peak of pages, %s", name).isGreaterThanOrEqualTo(pool.pages());
    assertThat(pool.largestFree()).as("largest free, %s", name).isLessThanOrEqualTo(pool.free());
    if (pool.config() instanceof ResolvedPool.Sliced sliced) {
      assertThat(pool.usage().reserved().bytes())
          .as("whole pages, %s", name)
          .isEqualTo(pool.pages() * sliced.pageByteSize());
      sliced
          .maxPages()
          .ifPresent(cap -> assertThat(pool.pages()).as("cap, %s", name).isLessThanOrEqualTo(cap));
    }
  }

  /** Above its watermark a direct pool holds no more than it needed at some moment. */
  private static void checkWatermark(PoolReport pool) {
    if (pool.config() instanceof ResolvedPool.Direct direct
        && direct.reclaimAtByteSize().isPresent()) {
      long needed = pool.usage().inUsePeak().plus(pool.usage().paddingPeak()).bytes();
      assertThat(pool.usage().reserved().bytes())
          .as("watermark, pool %s", pool.index())
          .isLessThanOrEqualTo(Math.max(direct.reclaimAtByteSize().getAsLong(), needed));
    }
  }

  /** Checks the totals of one moment, also while other threads are at work. */
  public static void checkUsage(MemoryUsage usage, String name) {
    assertThat(usage.inUse().plus(usage.padding()).plus(usage.pending()))
        .as("in use + padding + pending, %s", name)
        .isLessThanOrEqualTo(usage.reserved());
    assertThat(usage.pinned()).as("pinned, %s", name).isLessThanOrEqualTo(usage.inUse());
    assertThat(usage.allocations()).as("allocations, %s", name).isNotNegative();
    assertThat(usage.allocationsPeak())
        .as("peak of allocations, %s", name)
        .isGreaterThanOrEqualTo(usage.allocations());
    assertThat(usage.inUsePeak()).as("peak, %s", name).isGreaterThanOrEqualTo(usage.inUse());
    assertThat(usage.paddingPeak()).as("peak, %s", name).isGreaterThanOrEqualTo(usage.padding());
    assertThat(usage.reservedPeak()).as("peak, %s", name).isGreaterThanOrEqualTo(usage.reserved());
  }

  /**
   * A fence that has passed frees its slices when Cistern next looks, so it may count more pending
   * bytes than there are.
   */
  private static void checkAgainst(Ledger.Sum live, long pending, MemoryUsage usage, String name) {
    assertThat(usage.allocations()).as("allocations, %s", name).isEqualTo(live.allocations());
    assertThat(usage.inUse().bytes()).as("in use, %s", name).isEqualTo(live.inUse());
    assertThat(usage.padding().bytes()).as("padding, %s", name).isEqualTo(live.padding());
    assertThat(usage.pending().bytes()).as("pending, %s", name).isGreaterThanOrEqualTo(pending);
  }
}
