package io.cistern.conformance.traces;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageOptions;
import io.cistern.trace.replay.Replay;
import io.cistern.trace.report.PlanReport;
import io.cistern.trace.report.ReplayReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Section 10 on real traces: what is measured unmapped fits its peaks, served from the same pools
 * at the same offsets, and no pool passes a request on. The project's own traces, and those of the
 * folder that {@code cistern.traces} names.
 */
class PlannedTracesTest {

  /** With memory for all: a device that runs short gets idle pages back, and peaks are lower. */
  private static final StorageOptions DEVICE =
      StorageOptions.DEFAULT
          .withByteAlignment(256)
          .withMaxPageSize(MemorySize.ofGiB(20))
          .withCapacity(MemorySize.ofGiB(1024));

  @TestFactory
  List<DynamicTest> aPlannedTraceFits() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path trace : TraceFolders.all()) {
      for (MemoryPoolsConfig pools : MemoryPoolsConfig.Preset.values()) {
        String name = trace.getFileName() + ", " + pools;
        tests.add(DynamicTest.dynamicTest(name, () -> planAndReplay(trace, pools)));
      }
    }
    return tests;
  }

  private static Replay.Builder replay(Path trace, MemoryPoolsConfig pools) {
    return Replay.of(trace).devices(() -> SimulatedStorage.open(DEVICE)).pools(pools);
  }

  private static void planAndReplay(Path trace, MemoryPoolsConfig pools) throws IOException {
    PlanReport report = replay(trace, pools).plan().run().orElseThrow();
    ReplayReport.Figures replayed = report.replayed();
    assertThat(report.placedAlike()).isTrue();
    assertThat(report.fits()).isTrue();
    assertThat(report.measured().deviceAllocations()).isZero();
    assertThat(replayed.allocations()).isPositive();
    assertThat(replayed.peakReserved()).isEqualTo(report.measured().peakReserved());
    assertThat(replayed.overhead()).isEqualTo(report.measured().overhead());
    // The layout for all streams has caps that are no smaller; nothing else changes by them.
    ReplayReport.Figures planned = replay(trace, report.layout().config()).build().run().figures();
    assertThat(planned.refused()).isZero();
    assertThat(planned.spills()).isZero();
    assertThat(planned.peakReserved()).isEqualTo(replayed.peakReserved());
    assertThat(planned.deviceAllocations()).isEqualTo(replayed.deviceAllocations());
  }
}
