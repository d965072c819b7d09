package io.cistern.trace.format;

import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFormat;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log of RMM's {@code logging_resource_adaptor}: {@code
 * Thread,Time,Action,Pointer,Size,Stream}.
 */
final class RmmLogReader extends LineTraceReader {

  private static final long DAY_MICROS = 86_400_000_000L;
  private static final Pattern TIME_OF_DAY =
      Pattern.compile("[0-9]{1,2}:[0-9]{2}:[0-9]{2}([.:][0-9]{1,6})?");

  private final int columns;
  private final int threadColumn;
  private final int timeColumn;
  private final int actionColumn;
  private final int pointerColumn;
  private final int sizeColumn;
  private final int streamColumn;

  // Times are those of a day, which may end while the log goes on.
  private long start = UNKNOWN;
  private long last;
  private long days;

  RmmLogReader(TraceInput input) throws IOException {
    super(TraceFormat.RMM, input);
    List<String> names = Texts.columns(firstLine("header Thread,Time,Action,Pointer,Size,Stream"));
    this.columns = names.size();
    this.threadColumn = names.indexOf("thread");
    this.timeColumn = names.indexOf("time");
    this.actionColumn = names.indexOf("action");
    this.pointerColumn = names.indexOf("pointer");
    this.sizeColumn = names.indexOf("size");
    this.streamColumn = names.indexOf("stream");
    if (actionColumn < 0 || pointerColumn < 0 || sizeColumn < 0) {
      throw error("the header has no Action, Pointer or Size, as an RMM log has");
    }
  }

  /** Whether a first line is the header of such a log. */
  static boolean matches(String line) {
    return Texts.columns(line).containsAll(List.of("action", "pointer", "size"));
  }

  @Override
  @Nullable String take(String text) throws TraceException {
    String[] fields = text.split(",", -1);
    if (fields.length < columns) {
      return "the row has " + fields.length + " fields; its header names " + columns;
    }
    facts.add(TraceFacts.Count.EVENTS, 1);
    String size = fields[sizeColumn].strip();
    String pointer = fields[pointerColumn].strip();
    String stream = streamColumn < 0 ? "0" : fields[streamColumn].strip();
    String thread = threadColumn < 0 ? "0" : fields[threadColumn].strip();
    String time = timeColumn < 0 ? "00:00:00" : fields[timeColumn].strip();
    String fault = whyBad(size, pointer, stream, thread, time);
    if (fault != null) {
      return fault;
    }
    if (threadColumn >= 0) {
      facts.addThread(Numbers.count(thread));
    }
    return call(
        fields[actionColumn].strip().toLowerCase(Locale.ROOT),
        Numbers.address(pointer),
        Numbers.count(size),
        streams.of(Numbers.address(stream)),
        Numbers.count(thread),
        timeMicros(time));
  }

  private static @Nullable String whyBad(
      String size, String pointer, String stream, String thread, String time) {
    if (Numbers.count(size) < 0) {
      return "Size is no number of bytes: " + Texts.shown(size);
    } else if (!Numbers.isAddress(pointer)) {
      return "Pointer is no address: " + Texts.shown(pointer);
    } else if (!Numbers.isAddress(stream)) {
      return "Stream is no number: " + Texts.shown(stream);
    } else if (Numbers.count(thread) < 0) {
      return "Thread is no number: " + Texts.shown(thread);
    } else if (!TIME_OF_DAY.matcher(time).matches()) {
      return "Time is no time of day: " + Texts.shown(time);
    }
    return null;
  }

  private @Nullable String call(
      String action, long pointer, long byteSize, int stream, long thread, long time)
      throws TraceException {
    switch (action) {
      case "allocate" -> allocated(pointer, byteSize, stream, thread, time);
      case "allocate failure" -> refused(byteSize, stream);
      case "free" -> {
        return freed(pointer, OptionalLong.of(byteSize), stream, thread, time);
      }
      default -> {
        return "unknown Action "
            + Texts.shown(action)
            + ": it is allocate, free or allocate failure";
      }
    }
    return null;
  }

  /** Microseconds since the first row. */
  private long timeMicros(String text) {
    String[] parts = text.split("[.:]", -1);
    long micros =
        (Long.parseLong(parts[0]) * 3600 + Long.parseLong(parts[1]) * 60 + Long.parseLong(parts[2]))
            * 1_000_000;
    if (parts.length > 3) {
      micros += Long.parseLong((parts[3] + "000000").substring(0, 6));
    }
    if (start == UNKNOWN) {
      start = micros;
    } else if (micros < last - DAY_MICROS / 2) {
      days++;
    }
    last = micros;
    return Math.max(0, days * DAY_MICROS + micros - start);
  }
}
