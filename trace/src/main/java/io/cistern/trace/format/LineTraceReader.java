package io.cistern.trace.format;

import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceFormat;
import io.cistern.trace.TraceReader;
import io.cistern.trace.input.LineReader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log of calls, a line each, that names blocks by their addresses. Holds the live blocks,
 * and gives each its id.
 */
abstract class LineTraceReader implements TraceReader {

  private static final long NIL = 0;

  private record Live(long id, long byteSize, long thread) {}

  private record Row(boolean allocation, long id, long byteSize, int stream, long timeMicros) {}

  private static final Row NONE = new Row(false, 0, 0, 0, 0);

  final RecordedFacts facts = new RecordedFacts();
  final StreamNumbers streams = new StreamNumbers();

  private final TraceFormat format;
  private final LineReader lines;
  private final TraceFaults faults;
  private final Map<Long, Live> live = new HashMap<>();

  // Blocks of no bytes have no address, and may be many.
  private final Deque<Live> liveAtNil = new ArrayDeque<>();
  private final Deque<Row> rows = new ArrayDeque<>();
  private Row row = NONE;
  private @Nullable String unread;
  private boolean ended;
  private long nextId;

  LineTraceReader(TraceFormat format, TraceInput input) {
    this.format = format;
    this.lines = new LineReader(input.in(), input.faults());
    this.faults = input.faults();
  }

  /**
   * Reads a line, which is not empty.
   *
   * @return what is wrong with it; null if nothing is
   */
  abstract @Nullable String take(String text) throws TraceException;

  /** All lines are read. */
  void atEnd() throws TraceException {}

  /** Goes to the next line that is not empty; null at the end. */
  final @Nullable String nextLine() throws IOException {
    if (unread != null) {
      String again = unread;
      unread = null;
      return again;
    }
    while (lines.next()) {
      if (lines.line() == 1) {
        lines.skipByteOrderMark();
      }
      String noText = lines.whyNoText();
      if (noText != null) {
        faults.add(lines.line(), noText);
      } else if (!lines.text().isBlank()) {
        return lines.text().strip();
      }
    }
    return null;
  }

  /** The present line is to be the next once more. */
  final void unread(String line) {
    unread = line;
  }

  /** The first line, which must be there. */
  final String firstLine(String what) throws IOException {
    String line = nextLine();
    if (line == null) {
      throw faults.error(1, "the file is empty: it has no " + what);
    }
    return line;
  }

  final TraceException error(String reason) {
    return faults.error(lines.line(), reason);
  }

  final void addOdd(String reason) throws TraceException {
    faults.addOdd(lines.line(), reason);
  }

  // What a line may say.

  /** A block was allocated. */
  final void allocated(long address, long byteSize, int stream, long thread, long timeMicros)
      throws TraceException {
    Live block = new Live(nextId++, byteSize, thread);
    if (address == NIL) {
      liveAtNil.push(block);
    } else {
      Live there = live.put(address, block);
      if (there != null) {
        addOdd("an allocation at 0x%x, which is live".formatted(address));
        facts.add(TraceFacts.Count.REUSED_LIVE, 1);
        rows.add(new Row(false, there.id, there.byteSize, stream, timeMicros));
      }
    }
    rows.add(new Row(true, block.id, byteSize, stream, timeMicros));
  }

  /**
   * A block was freed.
   *
   * @param byteSize its size, where the line tells it
   * @return what is wrong; null if nothing is
   */
  final @Nullable String freed(
      long address, OptionalLong byteSize, int stream, long thread, long timeMicros)
      throws TraceException {
    Live block = address == NIL ? liveAtNil.poll() : live.remove(address);
    if (block == null) {
      facts.add(TraceFacts.Count.UNMATCHED_FREES, 1);
      return "free of an unknown pointer, 0x%x".formatted(address);
    }
    if (byteSize.isPresent() && byteSize.getAsLong() != block.byteSize) {
      addOdd(
          "size differs from the allocation: freed with %d, allocated with %d"
              .formatted(byteSize.getAsLong(), block.byteSize));
    }
    facts.add(TraceFacts.Count.CROSS_THREAD_FREES, thread == block.thread ? 0 : 1);
    rows.add(new Row(false, block.id, block.byteSize, stream, timeMicros));
    return null;
  }

  /** A block was allocated in place of another, which it was copied from. */
  final @Nullable String reallocated(
      long address, long oldAddress, long byteSize, int stream, long thread, long timeMicros)
      throws TraceException {
    Live old = oldAddress == NIL ? null : live.remove(oldAddress);
    allocated(address, byteSize, stream, thread, timeMicros);
    if (oldAddress != NIL && old == null) {
      facts.add(TraceFacts.Count.UNMATCHED_FREES, 1);
      return "realloc of an unknown pointer, 0x%x".formatted(oldAddress);
    }
    if (old != null) {
      rows.add(new Row(false, old.id, old.byteSize, stream, timeMicros));
    }
    return null;
  }

  /** A request was refused. */
  final void refused(long byteSize, int stream) {
    facts.addFailure(new TraceFacts.FailedRequest(lines.line(), byteSize, stream));
  }

  // The rows.

  @Override
  public final boolean next() throws IOException {
    while (rows.isEmpty() && !ended) {
      String text = nextLine();
      if (text == null) {
        ended = true;
        atEnd();
      } else {
        String fault = take(text);
        if (fault != null) {
          faults.add(lines.line(), fault);
        }
      }
    }
    if (rows.isEmpty()) {
      return false;
    }
    row = rows.poll();
    return true;
  }

  @Override
  public final boolean isAllocation() {
    return row.allocation;
  }

  @Override
  public final long id() {
    return row.id;
  }

  @Override
  public final long byteSize() {
    return row.byteSize;
  }

  @Override
  public final int stream() {
    return row.stream;
  }

  @Override
  public final long timeMicros() {
    return row.timeMicros;
  }

  @Override
  public final long line() {
    return lines.line();
  }

  @Override
  public final TraceFormat format() {
    return format;
  }

  @Override
  public final TraceFacts facts() {
    return facts;
  }

  @Override
  public final void close() throws IOException {
    lines.close();
  }
}
