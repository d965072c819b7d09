package io.cistern.trace.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.trace.Origin;
import io.cistern.trace.ReadOptions;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceReader;
import io.cistern.trace.file.Traces;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OriginsTest {

  /** Of each row that is an allocation. */
  private static List<@Nullable Origin> origins(byte[] trace, ReadOptions options)
      throws IOException {
    List<@Nullable Origin> origins = new ArrayList<>();
    try (TraceReader reader =
        Traces.open(new ByteArrayInputStream(trace), options, TraceFaults.strict("t"))) {
      while (reader.next()) {
        if (reader.isAllocation()) {
          origins.add(reader.origin());
        }
      }
    }
    return origins;
  }

  private static List<@Nullable Origin> origins(byte[] trace) throws IOException {
    return origins(trace, ReadOptions.DEFAULT.withOrigins());
  }

  private static Map<String, Object> frame(String name, String file, long line) {
    return Map.of("name", name, "filename", file, "line", line);
  }

  private static Map<String, Object> allocation(long address, List<?> frames) {
    return Map.of("action", "alloc", "addr", address, "size", 512, "stream", 0, "frames", frames);
  }

  private static byte[] snapshot(List<?> segments, List<?> events) {
    return PickleWriter.pickle(4, Map.of("segments", segments, "device_traces", List.of(events)));
  }

  /** What the program asked for is told by its own line, not by one of the library below it. */
  @Test
  void ofASnapshotAreTheCalls() throws IOException {
    byte[] pickle =
        snapshot(
            List.of(),
            List.of(
                allocation(
                    512,
                    List.of(
                        frame("at::empty", "??", 0),
                        frame("forward", "/lib/site-packages/torch/nn/linear.py", 114),
                        frame("step", "/home/me/train.py", 7),
                        frame("main", "/home/me/train.py", 30))),
                allocation(1024, List.of(frame("malloc", "alloc.cpp", 2))),
                allocation(2048, List.of())));
    assertThat(origins(pickle))
        .containsExactly(
            new Origin(
                "step (train.py:7)",
                """
                forward at /lib/site-packages/torch/nn/linear.py:114
                step at /home/me/train.py:7
                main at /home/me/train.py:30"""),
            new Origin("malloc (alloc.cpp:2)", "malloc at alloc.cpp:2"),
            null);
    assertThat(origins(pickle, ReadOptions.DEFAULT)).containsOnlyNulls().hasSize(3);
  }

  @Test
  void ofBlocksFromBeforeAreThoseOfTheSegment() throws IOException {
    List<?> frames = List.of(frame("load", "model.py", 5));
    Map<String, Object> newer =
        Map.of("address", 512, "size", 512, "state", "active_allocated", "frames", frames);
    Map<String, Object> older =
        Map.of(
            "address",
            1024,
            "size",
            512,
            "state",
            "active_allocated",
            "history",
            List.of(Map.of("real_size", 500, "frames", frames)));
    Map<String, Object> segment =
        Map.of("device", 0, "address", 512, "total_size", 1024, "blocks", List.of(newer, older));
    Origin origin = new Origin("load (model.py:5)", "load at model.py:5");
    assertThat(origins(snapshot(List.of(segment), List.of()))).containsExactly(origin, origin);
  }

  @Test
  void longStacksAreCut() throws IOException {
    List<?> frames = Collections.nCopies(1000, frame("again", "deep.py", 1));
    Origin origin = origins(snapshot(List.of(), List.of(allocation(512, frames)))).getFirst();
    assertThat(origin).isNotNull();
    assertThat(origin.stack()).endsWith("\nand 960 more");
    assertThat(origin.stack().lines()).hasSize(41);
  }

  @Test
  void ofATimelineAreItsCategories() throws IOException {
    String timeline = "[[-1, 1, 100, 0], [5000, 2, 200, 4], [6000, 2, 300, 7], [7000, 2, 1, 99]]";
    assertThat(origins(timeline.getBytes(StandardCharsets.UTF_8)))
        .containsExactly(
            new Origin("parameter", ""),
            new Origin("activation", ""),
            new Origin("no category", ""),
            null);
  }

  @Test
  void ofACsvAreItsTags() throws IOException {
    String csv = "tag,op,id,size\nweights,alloc,0,8\n,alloc,1,8\n\"a, b\",alloc,2,8\n";
    assertThat(origins(csv.getBytes(StandardCharsets.UTF_8)))
        .containsExactly(new Origin("weights", ""), null, new Origin("a, b", ""));
  }

  /** A trace that has a tag for each row may be of any length. */
  @Test
  void moreThanAreKeptAreOne() {
    OriginTable table = new OriginTable();
    String stack = "x".repeat(1 << 20);
    for (int i = 0; i < 40; i++) {
      table.number(new Origin("tag " + i, stack));
    }
    assertThat(table.get(table.number(new Origin("tag 0", stack))))
        .isEqualTo(new Origin("tag 0", stack));
    assertThat(table.get(table.number(new Origin("tag 39", stack))))
        .isEqualTo(new Origin("other", ""));
  }
}
