package io.cistern.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.MemoryPoolsConfig.Preset;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageOptions;
import io.cistern.trace.ReadOptions;
import io.cistern.trace.TraceException;
import io.cistern.trace.report.ReplayReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecodedTraceTest {

  private static final Path TRACES = Path.of("..", "traces");

  @TempDir private Path folder;

  private static SimulatedStorage device() {
    return SimulatedStorage.open(StorageOptions.DEFAULT);
  }

  private static DecodedTrace read(Path trace) throws IOException {
    return DecodedTrace.read(trace, ReadOptions.DEFAULT, false);
  }

  private static ReplayReport.Figures figures(DecodedTrace trace, MemoryPoolsConfig pools) {
    try (SimulatedStorage device = device()) {
      return trace.replay(device, pools).figures();
    }
  }

  private DecodedTrace rows(String... rows) throws IOException {
    Path file = folder.resolve("t.csv");
    Files.writeString(file, "op,id,size,stream,time_us\n" + String.join("\n", rows) + "\n");
    return read(file);
  }

  /** Several chunks, several streams, and a replay that reads the file. */
  @ParameterizedTest
  @ValueSource(strings = {"cpu-pt-decoder-kv", "cpu-pt-mix-threads"})
  void itIsReplayedAsTheFileIs(String name) throws IOException {
    Path file = TRACES.resolve(name + ".csv.gz");
    DecodedTrace trace = read(file);
    for (Preset preset : Preset.values()) {
      ReplayReport.Figures streamed =
          Replay.of(file).devices(DecodedTraceTest::device).pools(preset).build().run().figures();
      assertThat(figures(trace, preset)).isEqualTo(streamed);
      assertThat(trace.operations()).isEqualTo(streamed.operations());
    }
  }

  /** What the search relies on: placement does not depend on the thread, or on other replays. */
  @Test
  void manyThreadsFindTheSame() throws Exception {
    DecodedTrace trace = read(TRACES.resolve("cpu-pt-mix-threads.csv.gz"));
    ReplayReport.Figures expected = figures(trace, Preset.SUB_SLICES);
    List<Callable<ReplayReport.Figures>> work = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      work.add(() -> figures(trace, Preset.SUB_SLICES));
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (Future<ReplayReport.Figures> found : threads.invokeAll(work)) {
        assertThat(found.get()).isEqualTo(expected);
      }
    }
  }

  @Test
  void theLowerBoundIsTheMostThatIsLiveInAlignedSlices() throws IOException {
    DecodedTrace trace =
        rows(
            "alloc,0,1,0,0",
            "alloc,1,257,0,0",
            "free,0,1,0,0",
            "alloc,2,256,3,0",
            "alloc,3,0,0,0",
            "free,1,257,0,0");
    assertThat(trace.lowerBound(256)).isEqualTo(512 + 256);
    assertThat(trace.lowerBound(1)).isEqualTo(257 + 256);
    assertThat(trace.allocationsBySize()).containsOnlyKeys(0L, 1L, 256L, 257L);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 256, 4096})
  void theLowerBoundOfAFileIsThatOfItsRows(long alignment) throws IOException {
    Path file = TRACES.resolve("cpu-pt-decoder-kv.csv.gz");
    assertThat(
            LowerBound.of(file, ReadOptions.DEFAULT, false, alignment, _ -> {}, () -> false)
                .orElseThrow())
        .isEqualTo(read(file).lowerBound(alignment));
    assertThat(LowerBound.of(file, ReadOptions.DEFAULT, false, alignment, _ -> {}, () -> true))
        .isEmpty();
  }

  /** Sums of sizes that no device has must not wrap to a small bound. */
  @Test
  void hugeRequestsDoNotWrap() throws IOException {
    DecodedTrace trace = rows("alloc,0,9223372036854775807,0,0", "alloc,1,9223372036854775807,0,0");
    assertThat(trace.lowerBound(256)).isGreaterThan(1L << 48);
    assertThat(figures(trace, Preset.SUB_SLICES).refused()).isEqualTo(2);
  }

  @Test
  void aBadRowIsAnError() {
    assertThatThrownBy(() -> rows("alloc,0,1,0,0", "alloc,0,1,0,0"))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("t.csv:3: repeated id 0");
  }
}
