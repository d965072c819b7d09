package io.cistern.trace.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cistern.trace.ReadOptions;
import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceFormat;
import io.cistern.trace.TraceReader;
import io.cistern.trace.report.TraceInfo;
import io.cistern.trace.report.TraceInfoJson;
import io.cistern.trace.report.VmaDump;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TracesTest {

  @TempDir private Path folder;

  private static Rows read(byte[] content, ReadOptions options) throws IOException {
    return Rows.of(content, options, TraceFaults.strict("t"));
  }

  private static TraceException fault(String content, ReadOptions options) {
    return catchThrowableOfType(
        TraceException.class, () -> read(content.getBytes(StandardCharsets.UTF_8), options));
  }

  @Test
  void formatsThatAreNotReadAreRefusedByName() {
    assertThat(fault("{\"INSTRUCTION\":\"ANNOTATE\"}\n", ReadOptions.DEFAULT))
        .hasMessage("t:1: this is a log of operators by DTR, not a format that Cistern reads");
    assertThat(fault("{\"traceEvents\": [{\"pid\": \"GPGMM\"}]}", ReadOptions.DEFAULT))
        .hasMessage("t:1: these are object events by GPGMM, not a format that Cistern reads");
  }

  @Test
  void aFormatMayBeForced() throws IOException {
    String rows = "op,id,size,lower,upper\nalloc,3,7,0,9\n";
    assertThat(Rows.of(rows).format()).isEqualTo(TraceFormat.STATIC);
    assertThat(
            read(
                    rows.getBytes(StandardCharsets.UTF_8),
                    ReadOptions.DEFAULT.withFormat(TraceFormat.CSV))
                .rows())
        .containsExactly("alloc 3 7 0 0");
  }

  /** Whatever a file holds, each reader ends, with rows or with one error of its own. */
  @ParameterizedTest
  @EnumSource
  void anyReaderEndsOnAnyFile(TraceFormat format) throws IOException {
    List<String> contents =
        List.of(
            "",
            "\n\n\n",
            "x",
            "{",
            "[",
            "[[",
            "{}",
            "[]",
            "[[]]",
            "a,b\n1,2\n",
            "1\n2\n",
            "\0\0",
            "\ufeff",
            "op,id,size\nalloc,0,1\n",
            "Thread,Time,Action,Pointer,Size,Stream\n",
            "id,lower,upper,size\n",
            "Vulkan Memory Allocator,Calls recording\n",
            "7: free 0x1\n",
            "\u0080\u0004N.",
            "{\"traceEvents\": 7}",
            "[7, \"x\", {\"name\": [1]}]",
            // Much that says nothing must not take long.
            "1" + "\n".repeat(4000) + "2" + "\n".repeat(4000),
            "action" + " ".repeat(60_000) + ",x",
            // In UTF-32, as far as it shows, and no character of it.
            "\0\0\0{\u00124Vx");
    for (String content : contents) {
      for (boolean lenient : new boolean[] {true, false}) {
        TraceFaults faults = lenient ? TraceFaults.lenient("t") : TraceFaults.strict("t");
        byte[] bytes = content.getBytes(StandardCharsets.ISO_8859_1);
        try {
          assertThat(Rows.of(bytes, ReadOptions.DEFAULT.withFormat(format), faults).rows())
              .hasSizeLessThan(3);
        } catch (TraceException e) {
          assertThat(e).hasMessageStartingWith("t:");
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void anEmptyFileIsNoTrace(TraceFormat format) {
    ReadOptions options = ReadOptions.DEFAULT.withFormat(format);
    if (format != TraceFormat.MEMORY_REPLAY) {
      assertThat(fault("", options)).isNotNull();
    }
  }

  @Test
  void onlySomeFormatsHaveDevices() {
    assertThat(fault("op,id,size\n", ReadOptions.DEFAULT.withDevice("0")))
        .hasMessage("t:1: the common CSV has no devices to choose from");
  }

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  @Test
  void infoCounts() throws IOException {
    Path file =
        file(
            "t",
            """
            op,id,size,stream,time_us,reserved
            alloc,0,100,0,10,500
            alloc,1,50,3,12,
            free,0,100,0,15,800
            alloc,2,0,0,20,700
            alloc,3,120,0,30,700
            free,1,50,3,99,700
            """);
    TraceInfo info = Traces.info(file, ReadOptions.DEFAULT, false);
    assertThat(info.operations()).isEqualTo(6);
    assertThat(info.allocations()).isEqualTo(4);
    assertThat(info.emptyAllocations()).isEqualTo(1);
    assertThat(info.sizes()).isEqualTo(new TraceInfo.Spread(4, 270, 0, 50, 120, 120));
    assertThat(info.distinctSizes()).isEqualTo(4);
    assertThat(info.lifetimeRows()).isEqualTo(new TraceInfo.Spread(2, 6, 2, 2, 4, 4));
    assertThat(info.lifetimeMicros()).isEqualTo(new TraceInfo.Spread(2, 92, 5, 5, 86, 87));
    assertThat(info.streams()).isEqualTo(Map.of(0, 3L, 3, 1L));
    assertThat(info.peakLive()).isEqualTo(170);
    assertThat(info.peakLine()).isEqualTo(6);
    assertThat(info.peakCount()).isEqualTo(3);
    assertThat(info.end()).isEqualTo(new TraceInfo.End(2, 120));
    assertThat(info.recordedPeak()).hasValue(800);
    assertThat(info.durationMicros()).isEqualTo(89);
    String json = TraceInfoJson.of(info);
    assertThat(json)
        .contains("\"format\" : \"csv\"", "\"peakLive\" : 170", "\"recordedPeak\" : 800");
  }

  @Test
  void infoListsTheProblemsOfALenientReading() throws IOException {
    Path file = file("t", "op,id,size\nalloc,0,1\nalloc,0,1\nfree,9,1\nnothing\n");
    TraceInfo info = Traces.info(file, ReadOptions.DEFAULT, true);
    assertThat(info.skipped()).isEqualTo(3);
    assertThat(info.problems()).extracting(TraceException::line).containsExactly(3L, 4L, 5L);
    assertThat(
            catchThrowableOfType(
                TraceException.class, () -> Traces.info(file, ReadOptions.DEFAULT, false)))
        .hasMessageContaining("t:3: repeated id 0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"out.csv", "out.csv.gz", "out.csv.zst"})
  void whatIsWrittenIsReadAgain(String name) throws IOException {
    StringBuilder csv = new StringBuilder("op,id,size,stream,time_us,reserved\n");
    for (int i = 0; i < 5000; i++) {
      csv.append("alloc,%d,%d,%d,%d,%d\n".formatted(i, i * 31 % 977, i % 5, i, 1000 + i));
    }
    Path in = file("in.csv", csv.toString());
    Path out = folder.resolve(name);
    TraceFaults faults = TraceFaults.strict("t");
    try (TraceReader reader = Traces.open(in, ReadOptions.DEFAULT, faults);
        CsvTraceWriter writer = CsvTraceWriter.open(out)) {
      assertThat(writer.write(reader, faults)).isEqualTo(5000);
    }
    Rows again = Rows.of(Files.readAllBytes(out));
    Rows before = Rows.of(csv.toString());
    assertThat(again.rows()).isEqualTo(before.rows());
    assertThat(again.reserved()).isEqualTo(before.reserved());
  }

  @Test
  void aDumpOfOneMomentIsShownAndNotReplayed() throws IOException {
    Path file =
        file(
            "dump.json",
            """
            {"General": {"API": "Vulkan"},
             "Total": {"BlockCount": 3, "BlockBytes": 900, "AllocationCount": 7,
               "AllocationBytes": 500, "UnusedRangeCount": 2, "UnusedRangeSizeMax": 300},
             "MemoryInfo": {"Heap 0": {"Flags": [], "Stats": {"BlockCount": 3},
               "MemoryPools": {"Type 0": {"Stats": {"BlockCount": 9}}}}}}
            """);
    assertThat(Traces.format(file)).isEqualTo(TraceFormat.VMA_DUMP);
    VmaDump dump = Traces.vmaDump(file, TraceFaults.strict("t"));
    assertThat(dump.total()).isEqualTo(new VmaDump.Figures(3, 900, 7, 500, 2, 300));
    assertThat(dump.heaps()).isEqualTo(Map.of("Heap 0", new VmaDump.Figures(3, 0, 0, 0, 0, 0)));
    assertThat(fault(Files.readString(file), ReadOptions.DEFAULT))
        .hasMessageContaining("a picture of one moment");
    Path old =
        file("old.json", "{\"Total\": {\"Blocks\": 2, \"UsedBytes\": 7, \"UnusedBytes\": 3}}");
    assertThat(Traces.vmaDump(old, TraceFaults.strict("t")).total())
        .isEqualTo(new VmaDump.Figures(2, 10, 0, 7, 0, 0));
  }

  /** Bounds of the buckets are exact, and quantiles are never above what they stand for. */
  @Test
  void distributionsAreCloseFromBelow() {
    for (long value : new long[] {0, 1, 63, 64, 65, 127, 128, 1000, 1L << 40, Long.MAX_VALUE}) {
      Distribution distribution = new Distribution();
      distribution.add(0);
      distribution.add(value);
      distribution.add(value);
      distribution.add(Long.MAX_VALUE);
      long median = distribution.spread().median();
      assertThat(median).isLessThanOrEqualTo(value);
      assertThat(value - median).isLessThanOrEqualTo(value / 32);
    }
  }
}
