package io.cistern.trace.format;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cistern.trace.ReadOptions;
import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceFormat;
import io.cistern.trace.file.Rows;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PyTorchSnapshotTest {

  private static final long MIB = 1 << 20;

  private static Map<String, Object> event(String action, long addr, long size, long stream) {
    Map<String, Object> event = new LinkedHashMap<>();
    event.put("action", action);
    event.put("addr", addr);
    event.put("size", size);
    event.put("stream", stream);
    event.put("frames", List.of(Map.of("name", "f", "filename", "a.py", "line", 3)));
    return event;
  }

  private static Map<String, Object> timed(Map<String, Object> event, long time) {
    event.put("time_us", time);
    return event;
  }

  private static Map<String, Object> block(long address, long size, long requested, String state) {
    return Map.of("address", address, "size", size, "requested_size", requested, "state", state);
  }

  private static Map<String, Object> segment(
      int device, long address, long size, long stream, List<?> blocks) {
    return Map.of(
        "device",
        device,
        "address",
        address,
        "total_size",
        size,
        "stream",
        stream,
        "blocks",
        blocks);
  }

  private static byte[] snapshot(int protocol, List<?> segments, List<?>... traces) {
    Map<String, Object> snapshot = new LinkedHashMap<>();
    snapshot.put("segments", segments);
    snapshot.put("device_traces", List.of(traces));
    return PickleWriter.pickle(protocol, snapshot);
  }

  private static Rows read(byte[] pickle, String device) throws IOException {
    return Rows.of(pickle, ReadOptions.DEFAULT.withDevice(device), TraceFaults.strict("t"));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5})
  void protocolsGiveTheSame(int protocol) throws IOException {
    byte[] pickle =
        snapshot(
            protocol,
            List.of(segment(0, 1L << 46, 20 * MIB, 0, List.of())),
            List.of(
                timed(event("segment_alloc", 1L << 46, 20 * MIB, 0), 1_000_000),
                timed(event("alloc", 1L << 46, 11_643_387_904L, 0), 1_000_001),
                timed(event("free_requested", 1L << 46, 11_643_387_904L, 0), 1_000_005),
                timed(event("free_completed", 1L << 46, 11_643_387_904L, 0), 1_000_007),
                timed(event("snapshot", 0, 0, 0), 1_000_009)));
    Rows rows = Rows.of(pickle);
    assertThat(rows.format()).isEqualTo(TraceFormat.PYTORCH_SNAPSHOT);
    assertThat(rows.rows()).containsExactly("alloc 0 11643387904 0 1", "free 0 11643387904 0 7");
    assertThat(rows.lines()).containsExactly(2L, 4L);
    assertThat(rows.reserved()).containsExactly(20 * MIB, 20 * MIB);
    assertThat(rows.facts().count(TraceFacts.Count.EVENTS)).isEqualTo(5);
    assertThat(rows.facts().count(TraceFacts.Count.SEGMENTS)).isEqualTo(1);
  }

  /** The ring buffer lost the allocations of 100 and 300; 200 is live from then to now. */
  @Test
  void blocksFromBeforeStandInFrontByAddress() throws IOException {
    byte[] pickle =
        snapshot(
            4,
            List.of(
                segment(
                    0,
                    100,
                    4096,
                    0,
                    List.of(
                        block(100, 100, 90, "inactive"),
                        block(200, 100, 80, "active_allocated"),
                        block(300, 100, 70, "inactive"),
                        block(400, 100, 60, "active_allocated"),
                        block(500, 100, 50, "active_pending_free")))),
            List.of(
                event("free_completed", 600, 1, 0),
                event("free_requested", 300, 70, 0),
                event("free_completed", 300, 70, 0),
                event("alloc", 400, 60, 0),
                event("free_completed", 100, 90, 0)));
    Rows rows = Rows.of(pickle);
    assertThat(rows.rows())
        .containsExactly(
            "alloc 0 90 0 0",
            "alloc 1 80 0 0",
            "alloc 2 70 0 0",
            "alloc 3 50 0 0",
            "alloc 4 1 0 0",
            "free 4 1 0 0",
            "free 2 70 0 2",
            "alloc 5 60 0 3",
            "free 0 90 0 4");
    assertThat(rows.facts().count(TraceFacts.Count.BEFORE_ALLOCATIONS)).isEqualTo(5);
    assertThat(rows.facts().count(TraceFacts.Count.BEFORE_BYTES)).isEqualTo(291);
    assertThat(rows.lines()).startsWith(0L, 0L, 0L, 0L, 0L, 1L);
  }

  /** Counted back from the segments at the end; peaks between rows belong to the next row. */
  @Test
  void theRecordedCurveHasItsPeaks() throws IOException {
    byte[] pickle =
        snapshot(
            4,
            List.of(
                Map.of(
                    "device",
                    0,
                    "address",
                    1000,
                    "total_size",
                    30,
                    "stream",
                    0,
                    "is_expandable",
                    true,
                    "blocks",
                    List.of())),
            List.of(
                event("alloc", 1000, 4, 0),
                event("segment_map", 2000, 500, 0),
                event("segment_unmap", 2000, 500, 0),
                event("segment_alloc", 3000, 7, 0),
                event("alloc", 3000, 5, 0),
                event("free_completed", 3000, 5, 0),
                event("segment_free", 3000, 7, 0),
                event("segment_map", 5000, 20, 0)));
    Rows rows = Rows.of(pickle);
    assertThat(rows.rows()).hasSize(3);
    assertThat(rows.reserved()).containsExactly(10L, 510L, 30L);
  }

  @Test
  void theDeviceWithTheMostEventsIsTaken() throws IOException {
    byte[] pickle =
        snapshot(
            4,
            List.of(segment(2, 7000, 64, 0, List.of(block(7000, 64, 33, "active_allocated")))),
            List.of(event("alloc", 1, 11, 0)),
            List.of(event("alloc", 1, 22, 0), event("free_completed", 1, 22, 0)),
            List.of());
    assertThat(Rows.of(pickle).rows()).containsExactly("alloc 0 22 0 0", "free 0 22 0 1");
    assertThat(Rows.of(pickle).facts().device()).contains(new TraceFacts.Device("1", 2));
    assertThat(Rows.of(pickle).facts().devices())
        .extracting(TraceFacts.Device::name)
        .containsExactly("0", "1", "2");
    assertThat(read(pickle, "0").rows()).containsExactly("alloc 0 11 0 0");
    assertThat(read(pickle, "2").rows()).containsExactly("alloc 0 33 0 0");
    assertThat(catchThrowableOfType(TraceException.class, () -> read(pickle, "7")))
        .hasMessage("t:1: the trace has no device \"7\"; it has 0, 1, 2");
  }

  /** Before 2024 blocks had no address, and their size stood in a history. */
  @Test
  void oldSegmentsWithoutATrace() throws IOException {
    List<?> blocks =
        List.of(
            Map.of("size", 512, "state", "inactive"),
            Map.of(
                "size",
                1024,
                "state",
                "active_allocated",
                "history",
                List.of(Map.of("real_size", 777), Map.of("real_size", 888))),
            Map.of("size", 512, "requested_size", 400, "state", "active_allocated"));
    byte[] pickle =
        PickleWriter.pickle(
            4,
            List.of(
                segment(0, 9000, 2048, 5, blocks),
                segment(0, 1000, 64, 0, List.of(block(1000, 64, 64, "active_allocated")))));
    Rows rows = Rows.of(pickle);
    assertThat(rows.rows()).containsExactly("alloc 0 64 0 0", "alloc 1 777 5 0", "alloc 2 400 5 0");
    assertThat(rows.reserved()).containsOnly(2112L);
    assertThat(rows.facts().notes()).hasSize(1);
  }

  @Test
  void streamsAndFailedRequests() throws IOException {
    byte[] pickle =
        snapshot(
            5,
            List.of(),
            List.of(
                event("alloc", 1, 1, 123_456_789_012L),
                event("alloc", 2, 1, 99_456_789_012L),
                event("oom", 0, 4096, 123_456_789_012L),
                event("alloc", 3, 1, 0)));
    Rows rows = Rows.of(pickle);
    assertThat(rows.rows()).containsExactly("alloc 0 1 1 0", "alloc 1 1 2 1", "alloc 2 1 0 3");
    assertThat(rows.facts().firstFailure()).contains(new TraceFacts.FailedRequest(3, 4096, 1));
  }

  @Test
  void whatContradictsIsTold() throws IOException {
    byte[] pickle =
        snapshot(
            4,
            List.of(),
            List.of(
                event("alloc", 1, 10, 0),
                event("alloc", 1, 20, 0),
                event("free_completed", 1, 21, 0),
                event("free_completed", 1, 20, 0),
                Map.of("action", "alloc", "size", 3)));
    assertThat(catchThrowableOfType(TraceException.class, () -> Rows.of(pickle)))
        .hasMessage("t:2: an allocation at 0x1, which is live");
    TraceFaults faults = TraceFaults.lenient("t");
    Rows rows = Rows.of(pickle, ReadOptions.DEFAULT, faults);
    assertThat(rows.rows())
        .containsExactly("alloc 0 10 0 0", "free 0 10 0 1", "alloc 1 20 0 1", "free 1 20 0 2");
    assertThat(faults.problems())
        .extracting(Throwable::getMessage)
        .containsExactly(
            "t:2: an allocation at 0x1, which is live",
            "t:3: size differs from the allocation: freed with 21, allocated with 20",
            "t:4: free of an unknown address, 0x1",
            "t:5: event 5, alloc, has no addr or no size");
    assertThat(faults.skipped()).isEqualTo(2);
    assertThat(faults.odd()).isEqualTo(2);
  }

  @Test
  void otherPicklesAreNoSnapshots() {
    List<Object> others = new ArrayList<>();
    others.add(7);
    others.add(null);
    others.add(Map.of("a", 1));
    others.add(List.of(7));
    others.add(Map.of("segments", 3));
    others.add(Map.of("segments", List.of(), "device_traces", List.of()));
    for (Object other : others) {
      byte[] pickle = PickleWriter.pickle(4, other);
      assertThat(catchThrowableOfType(TraceException.class, () -> Rows.of(pickle)))
          .as("%s", other)
          .hasMessageContaining("snapshot");
    }
  }

  /** A state is a text; here it is lists in lists, which nobody may walk through. */
  @Test
  void valuesMayBeDeep() throws IOException {
    ByteArrayOutputStream pickle = new ByteArrayOutputStream();
    pickle.writeBytes(new byte[] {(byte) 0x80, 2});
    pickle.writeBytes("}X\b\0\0\0segments]}X\6\0\0\0blocks]}X\5\0\0\0state".getBytes(US_ASCII));
    pickle.writeBytes("]".repeat(100_000).getBytes(US_ASCII));
    pickle.writeBytes("a".repeat(99_999).getBytes(US_ASCII));
    pickle.writeBytes("sasas.".getBytes(US_ASCII));
    Rows rows = Rows.of(pickle.toByteArray());
    assertThat(rows.rows()).isEmpty();
    assertThat(rows.facts().count(TraceFacts.Count.SEGMENTS)).isEqualTo(1);
  }

  @Test
  void aCutShowsWhereverItIs() throws IOException {
    byte[] whole = snapshot(4, List.of(), List.of(event("alloc", 1, 1, 0)));
    for (int length = 1; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThat(catchThrowableOfType(TraceException.class, () -> Rows.of(cut)))
          .as("cut at %d", length)
          .hasMessageContaining(": byte offset ");
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(whole);
    }
    byte[] packed = bytes.toByteArray();
    assertThat(Rows.of(packed).rows()).hasSize(1);
    for (int length = 3; length < packed.length; length++) {
      byte[] cut = Arrays.copyOf(packed, length);
      assertThat(catchThrowableOfType(TraceException.class, () -> Rows.of(cut)))
          .as("gzip cut at %d", length)
          .isNotNull();
    }
  }
}
