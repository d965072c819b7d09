package io.cistern.benchmarks.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cistern.benchmarks.peers.Allocator;
import io.cistern.benchmarks.suite.Results.Measured;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BarsTest {

  private static final String OVER_JEMALLOC = "time over that of jemalloc";
  private static final String OVER_BEST = "time over that of the best peer";

  @Test
  void listsEachBarWhateverWasMeasured() {
    List<Bar> bars = Bars.of(results(Map.of(), List.of()));

    assertTrue(bars.stream().allMatch(bar -> bar.measured().isEmpty()));
    assertTrue(bars.stream().noneMatch(Bar::holds));
    String page = new Page(results(Map.of(), List.of())).text();
    assertEquals(
        bars.size(), page.lines().filter(line -> line.endsWith("| not measured |")).count());
  }

  @Test
  void aBarHoldsUpToItsLimit() {
    assertTrue(bar(Workload.FIXED, OVER_JEMALLOC, results(Map.of(), fixed(14, 10))).holds());
    assertFalse(bar(Workload.FIXED, OVER_JEMALLOC, results(Map.of(), fixed(14.1, 10))).holds());
  }

  @Test
  void theBestPeerIsKnownWhenAllThatTakePartWereMeasured() {
    List<Measured> cells = new ArrayList<>();
    Map<Allocator, String> absent = new EnumMap<>(Allocator.class);
    cells.add(cpu(Workload.LIVE_100, Allocator.fastPath(), 5));
    for (Allocator peer : Allocator.peers()) {
      if (peer != Allocator.MIMALLOC) {
        cells.add(cpu(Workload.LIVE_100, peer, 10 + cells.size()));
      }
    }
    assertTrue(bar(Workload.LIVE_100, OVER_BEST, results(absent, cells)).measured().isEmpty());

    absent.put(Allocator.MIMALLOC, "not installed");
    double best = 11;
    assertEquals(
        5 / best,
        bar(Workload.LIVE_100, OVER_BEST, results(absent, cells)).measured().orElseThrow());
  }

  private static Bar bar(Workload workload, String what, Results results) {
    return Bars.of(results).stream()
        .filter(bar -> bar.where().equals(workload.title) && bar.what().equals(what))
        .findFirst()
        .orElseThrow();
  }

  private static List<Measured> fixed(double ours, double jemalloc) {
    return List.of(
        cpu(Workload.FIXED, Allocator.fastPath(), ours),
        cpu(Workload.FIXED, Allocator.JEMALLOC, jemalloc));
  }

  private static Measured cpu(Workload workload, Allocator allocator, double nanos) {
    return new Measured(workload.id, allocator, List.of(Map.of(Figures.CPU, nanos)));
  }

  private static Results results(Map<Allocator, String> absent, List<Measured> cells) {
    return new Results("", Map.of(), List.of(), absent, "2025-01-01", 1, cells);
  }
}
