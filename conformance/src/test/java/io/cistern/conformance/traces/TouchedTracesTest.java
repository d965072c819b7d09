package io.cistern.conformance.traces;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.config.MemoryPoolsConfig;
import io.cistern.host.HostStorage;
import io.cistern.trace.replay.Replay;
import io.cistern.trace.report.ReplayReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every slice of the project's own traces keeps its bytes on real memory: no two overlap. */
class TouchedTracesTest {

  @TestFactory
  List<DynamicTest> noSliceIsOverwritten() throws IOException {
    return TraceFolders.own().stream()
        .map(
            trace ->
                DynamicTest.dynamicTest(trace.getFileName().toString(), () -> replayTouched(trace)))
        .toList();
  }

  private static void replayTouched(Path trace) throws IOException {
    ReplayReport report =
        Replay.of(trace)
            .devices(HostStorage::open)
            .pools(MemoryPoolsConfig.subSlices())
            .touch(true)
            .build()
            .run();
    assertThat(report.subject().touched()).isTrue();
    assertThat(report.figures().allocations()).isPositive();
    assertThat(report.figures().mismatches()).isZero();
    assertThat(report.figures().refused()).isZero();
  }
}
