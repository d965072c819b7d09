package io.cistern.trace.file;

import io.cistern.trace.ReadOptions;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceFormat;
import io.cistern.trace.TraceReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What a reader tells.
 *
 * @param rows each row as text: {@code alloc ID SIZE STREAM TIME} or {@code free ...}
 * @param reserved the recorded curve, a value a row
 * @param lines where the rows stand
 * @param format the format
 * @param facts what is told beside the rows
 */
public record Rows(
    List<String> rows,
    List<Long> reserved,
    List<Long> lines,
    TraceFormat format,
    TraceFacts facts) {

  public static Rows of(byte[] content, ReadOptions options, TraceFaults faults)
      throws IOException {
    try (TraceReader reader = Traces.open(new ByteArrayInputStream(content), options, faults)) {
      List<String> rows = new ArrayList<>();
      List<Long> reserved = new ArrayList<>();
      List<Long> lines = new ArrayList<>();
      while (reader.next()) {
        rows.add(
            (reader.isAllocation() ? "alloc " : "free ")
                + reader.id()
                + " "
                + reader.byteSize()
                + " "
                + reader.stream()
                + " "
                + reader.timeMicros());
        reserved.add(reader.recordedReserved());
        lines.add(reader.line());
      }
      return new Rows(rows, reserved, lines, reader.format(), reader.facts());
    }
  }

  public static Rows of(byte[] content) throws IOException {
    return of(content, ReadOptions.DEFAULT, TraceFaults.strict("t"));
  }

  public static Rows of(String content) throws IOException {
    return of(content.getBytes(StandardCharsets.UTF_8));
  }

  public static Rows lenient(String content, TraceFaults faults) throws IOException {
    return of(content.getBytes(StandardCharsets.UTF_8), ReadOptions.DEFAULT, faults);
  }
}
