package io.cistern.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.MemoryUsage;
import io.cistern.manager.MemoryReport;

/** Section 9: what holds of a report at every moment. */
final class Equations {

  private Equations() {}

  static void check(MemoryReport report) {
    long allocations = 0;
    long inUse = 0;
    long padding = 0;
    long pending = 0;
    long pinned = 0;
    long reserved = 0;
    for (MemoryReport.PoolReport pool : report.allPools()) {
      MemoryUsage usage = pool.usage();
      checkOne(usage, "pool " + pool.index());
      allocations += usage.allocations();
      inUse += usage.inUse().bytes();
      padding += usage.padding().bytes();
      pending += usage.pending().bytes();
      pinned += usage.pinned().bytes();
      reserved += usage.reserved().bytes();
    }
    MemoryUsage total = report.usage();
    checkOne(total, "all pools");
    assertThat(total.allocations()).as("allocations").isEqualTo(allocations);
    assertThat(total.inUse().bytes()).as("in use").isEqualTo(inUse);
    assertThat(total.padding().bytes()).as("padding").isEqualTo(padding);
    assertThat(total.pending().bytes()).as("pending").isEqualTo(pending);
    assertThat(total.pinned().bytes()).as("pinned").isEqualTo(pinned);
    assertThat(total.reserved().bytes()).as("reserved").isEqualTo(reserved);
  }

  private static void checkOne(MemoryUsage usage, String name) {
    assertThat(usage.inUse().plus(usage.padding()).plus(usage.pending()))
        .as("in use + padding + pending, %s", name)
        .isLessThanOrEqualTo(usage.reserved());
    assertThat(usage.pinned()).as("pinned, %s", name).isLessThanOrEqualTo(usage.inUse());
    assertThat(usage.reservedPeak()).as("peak, %s", name).isGreaterThanOrEqualTo(usage.reserved());
  }
}
