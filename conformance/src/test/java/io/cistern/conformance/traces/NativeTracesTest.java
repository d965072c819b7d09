package io.cistern.conformance.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cistern.trace.ReadOptions;
import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceFormat;
import io.cistern.trace.TraceReader;
import io.cistern.trace.file.Traces;
import io.cistern.trace.report.VmaDump;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.ThrowingConsumer;

/**
 * Recordings of other tools, in the folder that {@code cistern.native} names; there are no tests
 * without it. Each is read strictly, or refused for the right reason; where {@code cistern.traces}
 * has the same trace as a common CSV, the rows are equal.
 */
class NativeTracesTest {

  private static final int TRIES = Integer.getInteger("cistern.tries", 10);

  private record Row(boolean allocation, long id, long byteSize, int stream, long time) {}

  /**
   * What becomes of a recording.
   *
   * @param format its format
   * @param rows how many rows it has
   * @param recordedPeak what its allocator reserved at most, -1 if it does not tell
   * @param counterpart the common CSV with the same rows; empty if there is none
   * @param adapt what to do to the rows before they are compared
   */
  private record Read(
      TraceFormat format,
      int rows,
      long recordedPeak,
      String counterpart,
      Function<List<Row>, List<Row>> adapt) {

    Read(TraceFormat format, int rows, long recordedPeak, String counterpart) {
      this(format, rows, recordedPeak, counterpart, Function.identity());
    }
  }

  private static final Map<String, Read> READ =
      Map.ofEntries(
          snapshot("2025-gpt-train-ctx512", 15_625, 12_660_506_624L, "medium-ctx512-train"),
          snapshot("2025-gpt-infer-ctx1024", 2_783, 3_204_448_256L, "medium-ctx1024-infer"),
          snapshot("gpt-bf16-forward", 2_011, 861_929_472L, "bf16-forward"),
          Map.entry(
              "pt-snapshot-tiny.pickle",
              new Read(TraceFormat.PYTORCH_SNAPSHOT, 62, 3_781_165_056L, "")),
          Map.entry(
              "pt-snapshot-2023-only-segments.pickle.gz",
              new Read(TraceFormat.PYTORCH_SNAPSHOT, 460, 11_844_714_496L, "")),
          Map.entry(
              "nolic-pt-memory_snapshot-list.pickle.gz",
              new Read(TraceFormat.PYTORCH_SNAPSHOT, 1_938, 3_649_044_480L, "")),
          Map.entry(
              "nolic-pt-snapshot-no-time-10streams.pickle.gz",
              new Read(
                  TraceFormat.PYTORCH_SNAPSHOT,
                  6_306,
                  22_519_218_176L,
                  "nolic-gpu-pt-llama-offload-10streams")),
          Map.entry(
              "nolic-pt-snapshot-3devices-expandable.pickle.gz",
              new Read(
                  TraceFormat.PYTORCH_SNAPSHOT,
                  4_352,
                  8_541_700_096L,
                  "nolic-gpu-pt-qwen3-dp-train")),
          Map.entry(
              "SYNTHETIC-pt-snapshot-from-cpu-unet.pickle.gz",
              new Read(TraceFormat.PYTORCH_SNAPSHOT, 1_500, 276_785_664L, "cpu-pt-unet-train")),
          Map.entry(
              "kineto-2022-v100-train-TRIMMED.json.gz",
              new Read(
                  TraceFormat.CHROME_TRACE, 26_770, 12_782_141_440L, "gpu-kineto-v100-2gpu-train")),
          Map.entry(
              "kineto-h100-bert-small.json.gz",
              new Read(TraceFormat.CHROME_TRACE, 218, 121_634_816L, "")),
          Map.entry(
              "kineto-h100-vit.json.gz", new Read(TraceFormat.CHROME_TRACE, 572, 245_366_784L, "")),
          Map.entry(
              "kineto-mi300x-qwen1.5.json.gz",
              new Read(TraceFormat.CHROME_TRACE, 2_588, 2_533_359_616L, "")),
          Map.entry(
              "kineto-memory_timeline.raw.json.gz",
              new Read(TraceFormat.MEMORY_TIMELINE, 7_335, -1, "")),
          Map.entry(
              "SYNTHETIC-rmm-log-from-cpu-pt-mix-threads.csv.gz",
              new Read(TraceFormat.RMM, 12_000, -1, "cpu-pt-mix-threads")),
          Map.entry(
              "android-systemui-first3000.txt.gz",
              new Read(TraceFormat.MEMORY_REPLAY, 3_001, -1, "malloc-android-systemui")),
          Map.entry(
              "nolic-lab-ngram-gulliver1.rep.gz",
              new Read(TraceFormat.MALLOC_LAB, 32_540, -1, "nolic-lab-ngram-gulliver1")),
          Map.entry(
              "nolic-lab-amptjp-bal.rep.gz",
              new Read(
                  TraceFormat.MALLOC_LAB,
                  5_694,
                  -1,
                  "nolic-lab-amptjp",
                  NativeTracesTest::withoutTheFirstTwo)),
          Map.entry(
              "vma-recording-inexor-EXTRACTED.csv",
              new Read(TraceFormat.VMA_RECORDING, 30, -1, "")));

  private static final Map<String, String> REFUSED =
      Map.of(
          "kineto-2021-v100-resnet50-NOADDR-TRIMMED.json.gz", "have no Addr",
          "gpgmm-d3d12-directmlx-superresolution.json.gz", "object events by GPGMM",
          "nolic-dtr-unet.log.gz", "a log of operators by DTR",
          "vma-GpuMemDumpVis-Sample.json", "a picture of one moment");

  private static Map.Entry<String, Read> snapshot(
      String name, int rows, long recordedPeak, String counterpart) {
    return Map.entry(
        "pt-snapshot-" + name + ".pickle.gz",
        new Read(TraceFormat.PYTORCH_SNAPSHOT, rows, recordedPeak, "gpu-pt-gpt-" + counterpart));
  }

  /**
   * The counterpart took the first two operations of this file for two more lines of its header.
   */
  private static List<Row> withoutTheFirstTwo(List<Row> rows) {
    List<Row> others = new ArrayList<>();
    for (Row row : rows) {
      if (row.id >= 2) {
        others.add(new Row(row.allocation, row.id - 2, row.byteSize, row.stream, row.time - 2));
      }
    }
    return others;
  }

  private static Stream<DynamicTest> forEach(ThrowingConsumer<Path> test) throws IOException {
    String folder = System.getProperty("cistern.native", "");
    if (folder.isEmpty()) {
      return Stream.of();
    }
    try (Stream<Path> files = Files.list(Path.of(folder))) {
      return files.sorted().toList().stream()
          .map(
              file ->
                  DynamicTest.dynamicTest(file.getFileName().toString(), () -> test.accept(file)));
    }
  }

  @TestFactory
  Stream<DynamicTest> recordings() throws IOException {
    return forEach(NativeTracesTest::check);
  }

  /** Cut off, or with other bytes, packed and unpacked: rows or one error, and nothing else. */
  @TestFactory
  Stream<DynamicTest> damagedRecordings() throws IOException {
    return forEach(
        file -> {
          byte[] packed = Files.readAllBytes(file);
          Random random = new Random(packed.length);
          damage(packed, random);
          if (file.toString().endsWith(".gz")) {
            try (var in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
              damage(in.readAllBytes(), random);
            }
          }
        });
  }

  private static void damage(byte[] whole, Random random) throws IOException {
    for (int i = 0; i < TRIES; i++) {
      byte[] bad = Arrays.copyOf(whole, i % 2 == 0 ? whole.length : random.nextInt(whole.length));
      for (int flips = random.nextInt(1, 5); flips > 0 && bad.length > 0; flips--) {
        bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
      }
      for (TraceFaults faults : List.of(TraceFaults.strict("t"), TraceFaults.lenient("t"))) {
        try (TraceReader reader =
            Traces.open(new ByteArrayInputStream(bad), ReadOptions.DEFAULT, faults)) {
          while (reader.next()) {
            assertThat(reader.byteSize()).isNotNegative();
          }
        } catch (TraceException e) {
          assertThat(e).hasMessageStartingWith("t:");
        }
      }
    }
  }

  private static void check(Path file) throws IOException {
    String name = file.getFileName().toString();
    if (REFUSED.containsKey(name)) {
      assertThat(catchThrowableOfType(TraceException.class, () -> rows(file)))
          .hasMessageContaining(REFUSED.get(name));
      if (Traces.format(file) == TraceFormat.VMA_DUMP) {
        VmaDump dump = Traces.vmaDump(file, TraceFaults.strict(name));
        assertThat(dump.total().blocks()).isPositive();
        assertThat(dump.total().blockBytes()).isGreaterThan(dump.total().allocationBytes());
      }
      return;
    }
    List<Row> rows = rows(file);
    assertThat(rows).isNotEmpty();
    Read expected = READ.get(name);
    if (expected != null) {
      assertThat(Traces.format(file)).isEqualTo(expected.format);
      assertThat(rows).hasSize(expected.rows);
      assertThat(recordedPeak(file)).isEqualTo(expected.recordedPeak);
      Optional<Path> counterpart = TraceFolders.find(expected.counterpart);
      if (counterpart.isPresent()) {
        compare(expected.adapt.apply(rows), rows(counterpart.get()));
      }
    }
  }

  /** Some recordings are of the first part of the trace alone. */
  private static void compare(List<Row> rows, List<Row> counterpart) {
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      Row other = counterpart.get(i);
      if (!row.equals(other)) {
        assertThat(row).as("row %d", i).isEqualTo(other);
      }
    }
  }

  private static List<Row> rows(Path file) throws IOException {
    List<Row> rows = new ArrayList<>();
    try (TraceReader reader = Traces.open(file, TraceFaults.strict(file.toString()))) {
      while (reader.next()) {
        rows.add(
            new Row(
                reader.isAllocation(),
                reader.id(),
                reader.byteSize(),
                reader.stream(),
                reader.timeMicros()));
      }
    }
    return rows;
  }

  private static long recordedPeak(Path file) throws IOException {
    long peak = TraceReader.UNKNOWN;
    try (TraceReader reader = Traces.open(file, TraceFaults.strict(file.toString()))) {
      while (reader.next()) {
        peak = Math.max(peak, reader.recordedReserved());
      }
    }
    return peak;
  }
}
