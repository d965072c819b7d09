package io.cistern.manager;

import io.cistern.MemorySize;
import io.cistern.pool.Pool;
import io.cistern.pool.PoolMarks;
import io.cistern.pool.UsageCounter;
import java.util.Arrays;
import java.util.List;

/** Turns what the pools count into reports. */
final class Reports {

  private Reports() {}

  static MemoryReport of(PoolSet pools, UsageCounter total) {
    return new MemoryReport(
        pools.layout(),
        total.toUsage(),
        Arrays.stream(pools.pools()).map(Reports::of).toList(),
        of(pools.persistent()));
  }

  private static MemoryReport.PoolReport of(Pool pool) {
    PoolMarks marks = pool.marks();
    return new MemoryReport.PoolReport(
        pool.index(),
        pool.config(),
        pool.usage().toUsage(),
        marks.pages(),
        marks.pagesPeak(),
        marks.pagesUnmapped(),
        MemorySize.of(marks.largestAlloc()),
        marks.served(),
        marks.spills(),
        marks.driverAllocations(),
        marks.driverFrees(),
        MemorySize.of(hasEnded(pool) ? 0 : pool.freeByteSize()),
        MemorySize.of(hasEnded(pool) ? 0 : pool.largestFree()));
  }

  /** A pool of a closed manager has no memory, whatever its records say. */
  private static boolean hasEnded(Pool pool) {
    return pool.usage().reserved() == 0;
  }

  static List<MemoryReport.PageReport> ofPages(Pool pool) {
    return pool.pageSnapshots().stream()
        .map(
            page ->
                new MemoryReport.PageReport(
                    MemorySize.of(page.byteSize()),
                    MemorySize.of(page.free()),
                    MemorySize.of(page.largestFree()),
                    page.slices()))
        .toList();
  }
}
