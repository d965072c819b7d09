package io.cistern.trace.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.config.MemoryPoolsConfig.Preset;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageOptions;
import io.cistern.trace.ReadOptions;
import io.cistern.trace.TraceException;
import io.cistern.trace.replay.DecodedTrace;
import io.cistern.trace.replay.Replay;
import io.cistern.trace.report.CompareReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {

  private static final List<Path> TRACES =
      List.of(own("cpu-pt-mix-threads"), own("cpu-pt-gnn-train"), own("cpu-pt-decoder-kv"));

  private static final List<NamedLayout> LAYOUTS =
      List.of(
          new NamedLayout("b", Preset.EXCLUSIVE_PAGES), new NamedLayout("a", Preset.SUB_SLICES));

  @TempDir private Path folder;

  private static Path own(String name) {
    return Path.of("..", "traces", name + ".csv.gz");
  }

  private static SimulatedStorage device() {
    return SimulatedStorage.open(StorageOptions.DEFAULT);
  }

  private static Comparison.Builder compare(List<Path> traces) {
    return Comparison.of(traces, LAYOUTS).devices(ComparisonTest::device);
  }

  @Test
  void rowsAreThoseOfReplaysInTheOrderAskedFor() throws IOException {
    CompareReport report = compare(TRACES).threads(4).build().run();
    assertThat(report.interrupted()).isFalse();
    assertThat(report.rows())
        .extracting(row -> row.report().subject().trace() + row.report().subject().layout())
        .containsExactly(
            TRACES.get(0) + "b",
            TRACES.get(0) + "a",
            TRACES.get(1) + "b",
            TRACES.get(1) + "a",
            TRACES.get(2) + "b",
            TRACES.get(2) + "a");
    for (CompareReport.Row row : report.rows()) {
      Path file = Path.of(row.report().subject().trace());
      Preset preset =
          row.report().subject().layout().equals("a") ? Preset.SUB_SLICES : Preset.EXCLUSIVE_PAGES;
      assertThat(row.report().figures())
          .isEqualTo(
              Replay.of(file)
                  .devices(ComparisonTest::device)
                  .pools(preset)
                  .build()
                  .run()
                  .figures());
      assertThat(row.lowerBound())
          .isEqualTo(DecodedTrace.read(file, ReadOptions.DEFAULT, false).lowerBound(256));
      assertThat(row.ratio().orElseThrow()).isGreaterThanOrEqualTo(1);
    }
  }

  @Test
  void progressEndsWithAllThatIsRead() throws IOException {
    AtomicLong read = new AtomicLong();
    AtomicLong rows = new AtomicLong();
    CompareReport report =
        compare(TRACES)
            .progress(
                (byteCount, operations) -> {
                  read.set(byteCount);
                  rows.set(operations);
                })
            .build()
            .run();
    long byteSize = 0;
    for (Path trace : TRACES) {
      byteSize += 3 * Files.size(trace);
    }
    assertThat(read).hasValue(byteSize);
    assertThat(rows)
        .hasValue(
            report.rows().stream().mapToLong(row -> row.report().figures().operations()).sum());
  }

  @Test
  void interruptedItHasWhatWasFinished() throws IOException {
    AtomicReference<Comparison> comparison = new AtomicReference<>();
    comparison.set(
        compare(TRACES)
            .threads(1)
            .progress(
                (_, rows) -> {
                  // Both replays of the first trace, and part of the second.
                  if (rows > 2 * 44_698) {
                    comparison.get().interrupt();
                  }
                })
            .build());
    CompareReport report = comparison.get().run();
    assertThat(report.interrupted()).isTrue();
    assertThat(report.asked()).isEqualTo(6);
    assertThat(report.rows()).hasSizeBetween(2, 3);
    assertThat(report.rows()).noneMatch(row -> row.report().interrupted());
  }

  @Test
  void aBadTraceIsOneError() throws IOException {
    Path bad = Files.writeString(folder.resolve("bad.csv"), "op,id,size\nfree,3,1\n");
    assertThatThrownBy(() -> compare(List.of(own("cpu-pt-gnn-train"), bad)).build().run())
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("bad.csv:2: free of unknown id 3");
  }
}
