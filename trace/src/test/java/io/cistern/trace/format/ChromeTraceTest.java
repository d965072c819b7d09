package io.cistern.trace.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cistern.trace.ReadOptions;
import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceFormat;
import io.cistern.trace.file.Rows;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChromeTraceTest {

  private static String memory(String ts, long address, long bytes, String more) {
    return """
        {"ph": "i", "args": {"Addr": %d, "Bytes": %d, %s}, "name": "[memory]", "ts": %s}"""
        .formatted(address, bytes, more, ts);
  }

  private static String gpu(String ts, long address, long bytes, long total) {
    return memory(
        ts,
        address,
        bytes,
        "\"Device Type\": 1, \"Device Id\": 0, \"Total Allocated\": %d, \"Total Reserved\": %d"
            .formatted(total, total + 1000));
  }

  private static String cpu(String ts, long address, long bytes) {
    return memory(ts, address, bytes, "\"Device Type\": 0, \"Device Id\": -1");
  }

  private static String document(String... events) {
    return "{\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0}], \"traceEvents\": [\n"
        + "{\"name\": \"aten::empty\", \"ph\": \"X\", \"ts\": 1, \"args\": {\"a\": [1, {}]}},\n"
        + String.join(",\n", events)
        + "\n], \"traceName\": \"x\"}\n";
  }

  private static Rows read(String json, ReadOptions options) throws IOException {
    return Rows.of(json.getBytes(StandardCharsets.UTF_8), options, TraceFaults.strict("t"));
  }

  private static TraceException fault(String json) {
    return catchThrowableOfType(TraceException.class, () -> Rows.of(json));
  }

  @Test
  void timeOrdersAndOldBlocksStandInFront() throws IOException {
    Rows rows =
        Rows.of(
            document(
                gpu("100.25", 10, 64, 564),
                gpu("130", 7, -200, 396),
                gpu("110", 20, 32, 596),
                cpu("115", 10, 8),
                gpu("142.5", 10, -64, 332)));
    assertThat(rows.format()).isEqualTo(TraceFormat.CHROME_TRACE);
    assertThat(rows.rows())
        .containsExactly(
            "alloc 0 200 0 0",
            "alloc 1 64 0 0",
            "alloc 2 32 0 9",
            "free 0 200 0 29",
            "free 1 64 0 42");
    assertThat(rows.reserved()).containsExactly(1564L, 1564L, 1596L, 1396L, 1332L);
    assertThat(rows.lines()).containsExactly(0L, 3L, 5L, 4L, 7L);
    TraceFacts facts = rows.facts();
    assertThat(facts.count(TraceFacts.Count.OUT_OF_ORDER)).isEqualTo(1);
    assertThat(facts.count(TraceFacts.Count.UNSEEN_BYTES)).isEqualTo(300);
    assertThat(facts.count(TraceFacts.Count.DISAGREEMENTS)).isZero();
    assertThat(facts.count(TraceFacts.Count.BEFORE_BYTES)).isEqualTo(200);
    assertThat(facts.devices())
        .containsExactly(new TraceFacts.Device("1:0", 4), new TraceFacts.Device("0:-1", 1));
  }

  @Test
  void devicesAreKeptApart() throws IOException {
    String json = document(gpu("1", 10, 64, 64), cpu("2", 10, 8), cpu("3", 10, -8));
    assertThat(Rows.of(json).rows()).containsExactly("alloc 0 8 0 0", "free 0 8 0 1");
    assertThat(read(json, ReadOptions.DEFAULT.withDevice("1:0")).rows())
        .containsExactly("alloc 0 64 0 0");
    assertThat(
            catchThrowableOfType(
                TraceException.class, () -> read(json, ReadOptions.DEFAULT.withDevice("cuda"))))
        .hasMessage("t:1: the trace has no device \"cuda\"; it has 1:0, 0:-1");
  }

  @Test
  void equalTimesKeepTheOrderOfTheFile() throws IOException {
    assertThat(Rows.of(document(gpu("5", 1, 8, 8), gpu("5", 1, -8, 0), gpu("5", 1, 9, 9))).rows())
        .containsExactly("alloc 0 8 0 0", "free 0 8 0 0", "alloc 1 9 0 0");
  }

  @Test
  void largeAndOddTimes() throws IOException {
    assertThat(
            Rows.of(
                    document(
                        gpu("1669783687464300", 1, 8, 8),
                        gpu("1669783687464301.75", 1, -8, 0),
                        gpu("1.669783687464400e15", 2, 8, 8)))
                .rows())
        .containsExactly("alloc 0 8 0 0", "free 0 8 0 1", "alloc 1 8 0 100");
    assertThat(Rows.of(document(gpu("1e999999999", 1, 8, 8))).rows()).hasSize(1);
  }

  @Test
  void anArrayAloneIsATraceToo() throws IOException {
    assertThat(Rows.of("[" + gpu("5", 1, 8, 8) + ", 7, []]").rows()).hasSize(1);
  }

  @Test
  void totalsThatDisagreeAreCounted() throws IOException {
    Rows rows = Rows.of(document(gpu("1", 1, 8, 8), gpu("2", 2, 8, 17), gpu("3", 3, 8, 24)));
    assertThat(rows.facts().count(TraceFacts.Count.DISAGREEMENTS)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "{\"traceEvents\": []} | t:1: there are no [memory] events among 0 events",
        "{\"traceEvents\": [{\"name\": \"x\", \"ph\": \"O\"}]} | object events, such as GPGMM's",
        "{\"a\": 1} | t:1: there are no [memory] events among 0 events",
        "[{\"name\": \"[memory]\", \"ts\": 1, \"args\": {\"Bytes\": 4}}] | t:1: the [memory] events have no Addr",
        "[{\"name\": \"[memory]\", \"args\": {\"Bytes\": 4, \"Addr\": 4}}] | t:1: a [memory] event has no ts or no Bytes",
        "{\"traceEvents\": [{\"name\" | t: byte offset ",
        "{\"traceEvents\": [}] | t: byte offset ",
        "{\"traceEvents\": []} {} | t: byte offset 20: more follows the document",
      })
  void whatIsNoneIsRefused(String json, String message) {
    assertThat(fault(json)).hasMessageContaining(message);
  }

  @Test
  void aCutShowsWhereverItIs() throws IOException {
    String whole = document(gpu("1", 1, 8, 8), gpu("2", 1, -8, 0)).strip();
    assertThat(Rows.of(whole).rows()).hasSize(2);
    for (int length = 1; length < whole.length(); length++) {
      String cut = whole.substring(0, length);
      assertThat(fault(cut)).as("cut at %d", length).hasMessageContaining("byte offset");
      TraceFaults faults = TraceFaults.lenient("t");
      try {
        Rows.lenient(cut, faults);
        assertThat(faults.skipped()).isPositive();
      } catch (TraceException e) {
        assertThat(e).hasMessageContaining("byte offset").hasMessageNotContaining("REDACTED");
      }
    }
  }

  @Test
  void aTimelineHasTotalsAndLifetimesWhereTheyAreClear() throws IOException {
    Rows rows =
        Rows.of(
            """
            [[-1, 1, 100, 7], [1000000, 2, 40, 1], [1002000, 2, 40, 2],
             [1003000, 3, -40, 1], [1003000, 3, 40, 5], [1005000, 4, -40, 2], [1009000, 4, -40, 5]]
            """);
    assertThat(rows.format()).isEqualTo(TraceFormat.MEMORY_TIMELINE);
    assertThat(rows.rows())
        .containsExactly(
            "alloc 0 100 0 0",
            "alloc 1 40 0 0",
            "alloc 2 40 0 2",
            "free 2 40 0 5",
            "free 1 40 0 9");
    assertThat(fault("[[1, 4, -8, 0]]"))
        .hasMessage("t:1: free of 8 bytes in category 0, where none are live");
    assertThat(fault("[[1, 2, 8, 0], [1, 2, 8]]"))
        .hasMessage("t:2: entry 2 is not [time, action, bytes, category]");
    assertThat(fault("[[1, 2, 8, 0], [1, 5, 8, 0]]")).hasMessageContaining("entry 2 is not");
    assertThat(fault("[[1, 2, 8, 0]")).hasMessageContaining("byte offset");
  }
}
