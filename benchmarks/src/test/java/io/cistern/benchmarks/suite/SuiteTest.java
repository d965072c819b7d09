package io.cistern.benchmarks.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cistern.benchmarks.peers.Allocator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteTest {

  /** The repository's root. */
  private static final Path HOME = Path.of("..");

  @Test
  void measuresEveryWorkloadForAMoment(@TempDir Path folder) throws Exception {
    List<String> progress = new ArrayList<>();
    Results measured =
        new Run(Suite.quickCells(HOME), false, "a moment", progress::add)
            .measure(HOME.resolve("benchmarks/target/jmh.log"));

    for (Results.Measured cell : measured.cells()) {
      assertEquals(1, cell.forks().size(), cell::toString);
      Map<String, Double> figures = cell.forks().getFirst();
      assertTrue(figures.get(Results.WALL) > 0, cell::toString);
      assertTrue(figures.get(Figures.CPU) > 0, cell::toString);
      assertTrue(figures.containsKey(Figures.GARBAGE), cell::toString);
      if (cell.allocator().isOurs() && figures.containsKey(Figures.PEAK_LIVE)) {
        // A moment may end before the peak: what is held then covers more than half of it.
        assertTrue(
            measured.overhead(cell.name(), cell.allocator()).orElseThrow() > 0.5, cell::toString);
      }
    }
    for (Workload workload : Workload.values()) {
      assertTrue(
          measured.median(workload.id, Allocator.fastPath(), Results.WALL).isPresent(),
          workload.id);
      assertTrue(progress.stream().anyMatch(line -> line.contains(workload.id + ":")), workload.id);
    }
    for (String figure : List.of(Figures.FILL, Figures.EMPTY, Figures.HEAP)) {
      assertTrue(
          measured.median(Workload.LIVE_1M.id, Allocator.fastPath(), figure).isPresent(), figure);
    }
    Path file = folder.resolve("results.json");
    measured.write(file);
    assertEquals(measured, Results.read(file));
    String page = new Page(measured).text();
    for (Workload workload : Workload.values()) {
      assertTrue(page.contains("## " + workload.title), page);
    }
  }
}
