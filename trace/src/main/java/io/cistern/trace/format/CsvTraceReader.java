package io.cistern.trace.format;

import io.cistern.trace.Origin;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceFormat;
import io.cistern.trace.TraceReader;
import io.cistern.trace.input.LineReader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the common CSV: a header that names the columns {@code op, id, size} and perhaps {@code
 * stream}, {@code time_us}, {@code reserved} and {@code tag}, in any order; others are not looked
 * at. Fields may stand in double quotes and between blanks; empty lines say nothing. An empty
 * stream or time is 0, an empty {@code reserved} or {@code tag} tells nothing, and a free needs no
 * size.
 */
final class CsvTraceReader implements TraceReader {

  private static final long EMPTY = -1;

  private final LineReader lines;
  private final TraceFaults faults;
  private final CsvColumns columns;
  private final CsvFields fields;

  private boolean allocation;
  private long id;
  private long byteSize;
  private int stream;
  private long timeMicros;
  private long recordedReserved;
  private int origin;
  private final @Nullable OriginTable origins;
  private final RecordedFacts facts = new RecordedFacts();

  CsvTraceReader(TraceInput input) throws IOException {
    this.lines = new LineReader(input.in(), input.faults());
    this.faults = input.faults();
    this.fields = new CsvFields(lines);
    this.origins = input.origins() ? new OriginTable() : null;
    this.columns = readHeader();
  }

  private CsvColumns readHeader() throws IOException {
    boolean found = lines.next();
    if (!found) {
      throw faults.error(1, "the file is empty: it has no header op,id,size,stream,time_us");
    }
    lines.skipByteOrderMark();
    String noText = lines.whyNoText();
    if (noText != null) {
      throw faults.error(lines.line(), noText);
    }
    CsvColumns header = CsvColumns.of(lines.text());
    if (header.fault() != null) {
      throw faults.error(lines.line(), header.fault());
    }
    return header;
  }

  @Override
  public boolean next() throws IOException {
    while (lines.next()) {
      if (lines.start() == lines.end()) {
        continue;
      }
      String fault = parseRow();
      if (fault == null) {
        return true;
      }
      String noText = lines.whyNoText();
      faults.add(lines.line(), noText != null ? noText : fault);
    }
    return false;
  }

  /** Reads the line's fields; returns what is wrong with them, or null. */
  private @Nullable String parseRow() {
    int missing = columns.wanted();
    stream = 0;
    timeMicros = 0;
    recordedReserved = UNKNOWN;
    origin = OriginTable.NONE;
    fields.begin();
    for (int i = 0; i < columns.count() && fields.next(); i++) {
      CsvColumns.Column column = columns.at(i);
      if (column != null) {
        if (!parseField(column)) {
          return fields.fault();
        }
        missing &= ~column.bit();
      }
    }
    return missing == 0 ? whyBad() : columns.whyMissing(missing);
  }

  /** What is wrong with a row whose fields are right each, or null. */
  private @Nullable String whyBad() {
    if (byteSize == EMPTY) {
      if (allocation) {
        return "size is empty: an allocation has one";
      }
      byteSize = 0;
    }
    return lines.whyNoText();
  }

  private boolean parseField(CsvColumns.Column column) {
    switch (column) {
      case OP -> {
        return parseOp();
      }
      case ID -> id = fields.number("id", 0, Long.MAX_VALUE);
      case SIZE -> byteSize = fields.isEmpty() ? EMPTY : fields.number("size", 0, Long.MAX_VALUE);
      case STREAM ->
          stream =
              fields.isEmpty()
                  ? 0
                  : (int) fields.number("stream", Integer.MIN_VALUE, Integer.MAX_VALUE);
      case TIME ->
          timeMicros =
              fields.isEmpty() ? 0 : fields.number("time_us", Long.MIN_VALUE, Long.MAX_VALUE);
      case RESERVED ->
          recordedReserved =
              fields.isEmpty() ? UNKNOWN : fields.number("reserved", 0, Long.MAX_VALUE);
      case TAG -> {
        if (origins != null && !fields.isEmpty()) {
          origin = origins.number(new Origin(fields.text(), ""));
        }
      }
    }
    return fields.fault() == null;
  }

  private boolean parseOp() {
    if (fields.is(CsvFields.ALLOC)) {
      allocation = true;
      return true;
    }
    allocation = false;
    return fields.is(CsvFields.FREE)
        || fields.fail("unknown op \"" + fields.text() + "\": it is alloc or free");
  }

  @Override
  public boolean isAllocation() {
    return allocation;
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public long byteSize() {
    return byteSize;
  }

  @Override
  public int stream() {
    return stream;
  }

  @Override
  public long timeMicros() {
    return timeMicros;
  }

  @Override
  public long line() {
    return lines.line();
  }

  @Override
  public long recordedReserved() {
    return recordedReserved;
  }

  @Override
  public @Nullable Origin origin() {
    return origins == null ? null : origins.get(origin);
  }

  @Override
  public TraceFormat format() {
    return TraceFormat.CSV;
  }

  @Override
  public TraceFacts facts() {
    return facts;
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
