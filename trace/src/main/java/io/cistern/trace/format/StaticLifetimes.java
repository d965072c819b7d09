package io.cistern.trace.format;

import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceFormat;
import io.cistern.trace.TraceReader;
import io.cistern.trace.input.LineReader;
import io.cistern.trace.table.HeapBudget;
import io.cistern.trace.table.LongTable;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Reads lifetimes that were known before the run, as MiniMalloc and idealloc write them: {@code
 * id,lower,upper,size}, live from {@code lower} to below {@code upper}.
 *
 * <p>Rows are in the order of time, frees before allocations, and numbered anew.
 */
final class StaticLifetimes {

  private static final List<String> COLUMNS = List.of("id", "lower", "upper", "size");
  private static final int LOWER = 0;
  private static final int UPPER = 1;
  private static final int SIZE = 2;
  private static final int LINE = 3;
  private static final int ID = 4;

  private final TraceFaults faults;
  private final HeapBudget budget = new HeapBudget();
  private final LongTable buffers;

  private StaticLifetimes(TraceFaults faults) {
    this.faults = faults;
    this.buffers = new LongTable(ID + 1, budget, faults);
  }

  /** Whether a first line is the header of such a file. */
  static boolean matches(String line) {
    return Texts.columns(line).containsAll(COLUMNS);
  }

  static TraceReader read(TraceInput input) throws IOException {
    StaticLifetimes lifetimes = new StaticLifetimes(input.faults());
    try (LineReader lines = new LineReader(input.in(), input.faults())) {
      lifetimes.readAll(lines);
    }
    RecordedFacts facts = new RecordedFacts();
    facts.setNoClock("steps of a plan");
    facts.add(TraceFacts.Count.EVENTS, lifetimes.buffers.rows());
    return lifetimes.rows().reader(TraceFormat.STATIC, facts);
  }

  private void readAll(LineReader lines) throws IOException {
    if (!lines.next()) {
      throw faults.error(1, "the file is empty: it has no header id,lower,upper,size");
    }
    lines.skipByteOrderMark();
    List<String> header = Texts.columns(lines.text());
    if (!header.containsAll(COLUMNS)) {
      throw faults.error(1, "the header does not name id, lower, upper and size");
    }
    int lower = header.indexOf("lower");
    int upper = header.indexOf("upper");
    int size = header.indexOf("size");
    while (lines.next()) {
      if (lines.start() == lines.end()) {
        continue;
      }
      String[] fields = lines.text().split(",", -1);
      String noText = lines.whyNoText();
      if (noText != null) {
        faults.add(lines.line(), noText);
      } else if (fields.length < header.size()) {
        faults.add(
            lines.line(),
            "the row has " + fields.length + " fields; its header names " + header.size());
      } else {
        take(fields[lower].strip(), fields[upper].strip(), fields[size].strip(), lines.line());
      }
    }
  }

  private void take(String lowerText, String upperText, String sizeText, long line)
      throws TraceException {
    long lower = Numbers.count(lowerText);
    long upper = Numbers.count(upperText);
    long size = Numbers.count(sizeText);
    if (lower < 0 || upper < 0 || size < 0) {
      faults.add(
          line,
          "lower, upper and size are numbers of at least 0, not %s, %s, %s"
              .formatted(Texts.shown(lowerText), Texts.shown(upperText), Texts.shown(sizeText)));
    } else if (lower >= upper) {
      faults.add(line, "lower " + lower + " is not below upper " + upper);
    } else {
      buffers.add(line, lower, upper, size, line, 0);
    }
  }

  private RowTable rows() throws TraceException {
    Integer[] byStart = order(LOWER);
    for (int i = 0; i < byStart.length; i++) {
      buffers.set(byStart[i], ID, i);
    }
    Integer[] byEnd = order(UPPER);
    RowTable rows = new RowTable(budget, faults);
    int ended = 0;
    for (int buffer : byStart) {
      while (buffers.get(byEnd[ended], UPPER) <= buffers.get(buffer, LOWER)) {
        free(rows, byEnd[ended++]);
      }
      rows.allocated(
          buffers.get(buffer, ID),
          buffers.get(buffer, SIZE),
          0,
          buffers.get(buffer, LOWER),
          buffers.get(buffer, LINE),
          TraceReader.UNKNOWN,
          OriginTable.NONE);
    }
    while (ended < byEnd.length) {
      free(rows, byEnd[ended++]);
    }
    return rows;
  }

  private void free(RowTable rows, int buffer) throws TraceException {
    rows.freed(
        buffers.get(buffer, ID),
        buffers.get(buffer, SIZE),
        0,
        buffers.get(buffer, UPPER),
        buffers.get(buffer, LINE),
        TraceReader.UNKNOWN);
  }

  private Integer[] order(int column) {
    Integer[] order = new Integer[buffers.rows()];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingLong(buffer -> buffers.get(buffer, column)));
    return order;
  }
}
