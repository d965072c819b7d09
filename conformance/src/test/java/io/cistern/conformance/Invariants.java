package io.cistern.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.MemoryUsage;
import io.cistern.layout.ResolvedPool;
import io.cistern.manager.MemoryManager;
import io.cistern.manager.MemoryReport;
import io.cistern.storage.CountingStorage;

/** What holds after every step, whatever was done: the equations of the contract on counting. */
public final class Invariants {

  private Invariants() {}

  /** Checks a manager that is the only one on its storage against it and against the ledger. */
  public static void check(MemoryManager manager, CountingStorage storage, Ledger ledger) {
    MemoryReport report = manager.report();
    long reserved = 0;
    long pages = 0;
    long unmapped = 0;
    for (MemoryReport.PoolReport pool : report.allPools()) {
      checkPool(pool);
      checkAgainst(ledger.of(pool.index()), pool.usage(), "pool " + pool.index());
      reserved += pool.usage().reserved().bytes();
      pages += pool.pages();
      unmapped += pool.pagesUnmapped();
    }
    checkAgainst(ledger.total(), report.usage(), "all pools");
    checkUsage(report.usage(), "all pools");
    assertThat(report.usage()).as("usage beside report").isEqualTo(manager.usage());
    assertThat(report.usage().reserved().bytes()).as("reserved").isEqualTo(reserved);
    assertThat(storage.allocations() - storage.frees())
        .as("blocks that the driver has out")
        .isEqualTo(pages - unmapped);
    if (unmapped == 0) {
      assertThat(storage.allocated().bytes())
          .as("bytes that the driver has out")
          .isEqualTo(reserved);
    }
  }

  private static void checkPool(MemoryReport.PoolReport pool) {
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

  private static void checkUsage(MemoryUsage usage, String name) {
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

  private static void checkAgainst(Ledger.Sum live, MemoryUsage usage, String name) {
    assertThat(usage.allocations()).as("allocations, %s", name).isEqualTo(live.allocations());
    assertThat(usage.inUse().bytes()).as("in use, %s", name).isEqualTo(live.inUse());
    assertThat(usage.padding().bytes()).as("padding, %s", name).isEqualTo(live.padding());
  }
}
