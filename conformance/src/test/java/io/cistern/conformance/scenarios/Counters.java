package io.cistern.conformance.scenarios;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.MemoryUsage;
import io.cistern.conformance.Json;
import io.cistern.layout.ResolvedPool;
import io.cistern.manager.MemoryReport;
import io.cistern.manager.MemoryReport.PoolReport;
import io.cistern.storage.CountingStorage;
import java.util.List;
import java.util.stream.Stream;

/** The counters of scenarios, all pools of all streams together, persistent ones included. */
final class Counters {

  private Counters() {}

  static ObjectNode of(MemoryUsage usage, List<MemoryReport> reports, CountingStorage storage) {
    List<PoolReport> pools = reports.stream().flatMap(Counters::pools).toList();
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

  private static Stream<PoolReport> pools(MemoryReport report) {
    return Stream.concat(report.pools().stream(), Stream.of(report.persistent()));
  }
}
