package io.cistern.conformance.scenarios;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.MemoryUsage;
import io.cistern.conformance.Json;
import io.cistern.layout.ResolvedPool;
import io.cistern.manager.MemoryReport;
import io.cistern.manager.MemoryReport.PoolReport;
import io.cistern.storage.CountingStorage;
import java.util.List;

/** The counters of scenarios, all pools together. */
final class Counters {

  private Counters() {}

  static ObjectNode of(MemoryReport report, CountingStorage storage) {
    MemoryUsage usage = report.usage();
    List<PoolReport> pools = report.pools();
    List<PoolReport> sliced =
        pools.stream().filter(pool -> pool.config() instanceof ResolvedPool.Sliced).toList();
    ObjectNode counters = Json.object();
    counters.put("number_allocs", usage.allocations());
    counters.put("bytes_in_use", usage.inUse().bytes());
    counters.put("bytes_padding", usage.padding().bytes());
    counters.put("bytes_reserved", usage.reserved().bytes());
    counters.put("bytes_pending", usage.pending().bytes());
    counters.put("bytes_pinned_by_graphs", usage.pinned().bytes());
    counters.put("peak_reserved", usage.reservedPeak().bytes());
    counters.put("bytes_idle", pools.stream().mapToLong(pool -> pool.free().bytes()).sum());
    counters.put("pages", pools.stream().mapToLong(PoolReport::pages).sum());
    counters.put("pages_peak", pools.stream().mapToLong(PoolReport::pagesPeak).sum());
    counters.put("spills", pools.stream().mapToLong(PoolReport::spills).sum());
    counters.put("total_free", sliced.stream().mapToLong(pool -> pool.free().bytes()).sum());
    counters.put(
        "largest_free",
        sliced.stream().mapToLong(pool -> pool.largestFree().bytes()).max().orElse(0));
    counters.put("storage_allocs", storage.allocations());
    counters.put("storage_deallocs", storage.frees());
    counters.put("storage_bytes", storage.allocated().bytes());
    return counters;
  }
}
