package io.cistern.trace.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the header of a common CSV says: which column stands where. */
final class CsvColumns {

  private static final int REQUIRED = Column.OP.bit() | Column.ID.bit() | Column.SIZE.bit();

  /** A column that means something to us. */
  enum Column {
    OP("op", 1),
    ID("id", 2),
    SIZE("size", 4),
    STREAM("stream", 8),
    TIME("time_us", 16),
    RESERVED("reserved", 32),
    TAG("tag", 64);

    private final String text;
    private final int bit;

    Column(String text, int bit) {
      this.text = text;
      this.bit = bit;
    }

    /** Stands for the column in a set of columns. */
    int bit() {
      return bit;
    }

    static @Nullable Column named(String text) {
      for (Column column : values()) {
        if (column.text.equals(text)) {
          return column;
        }
      }
      return null;
    }
  }

  private final @Nullable Column[] columns;
  private final int wanted;
  private final @Nullable String fault;

  private CsvColumns(@Nullable Column[] columns, int wanted, @Nullable String fault) {
    this.columns = columns;
    this.wanted = wanted;
    this.fault = fault;
  }

  /** Reads a header. */
  static CsvColumns of(String header) {
    List<@Nullable Column> columns = new ArrayList<>();
    int wanted = 0;
    String fault = null;
    for (String name : header.split(",", -1)) {
      Column column = Column.named(name.strip().replaceAll("^\"|\"$", "").toLowerCase(Locale.ROOT));
      if (column != null && (wanted & column.bit()) != 0) {
        fault = "the header names column \"" + column.text + "\" twice";
      }
      wanted |= column == null ? 0 : column.bit();
      columns.add(column);
    }
    int missing = REQUIRED & ~wanted;
    if (missing == REQUIRED) {
      fault = "the header is missing: the first line names the columns op,id,size,stream,time_us";
    } else if (missing != 0) {
      fault = "column " + names(missing) + " is missing in the header";
    }
    return new CsvColumns(columns.toArray(new @Nullable Column[0]), wanted, fault);
  }

  /** Why the header can't be used; null if it can. */
  @Nullable String fault() {
    return fault;
  }

  int count() {
    return columns.length;
  }

  @Nullable Column at(int index) {
    return columns[index];
  }

  /** The {@linkplain Column#bit bits} of the columns that every row has. */
  int wanted() {
    return wanted;
  }

  /** What a row is told whose columns are not all there. */
  String whyMissing(int missing) {
    return "column " + names(missing) + " is missing: the row is too short";
  }

  private static String names(int columns) {
    List<String> names = new ArrayList<>();
    for (Column column : Column.values()) {
      if ((columns & column.bit()) != 0) {
        names.add("\"" + column.text + "\"");
      }
    }
    return String.join(", ", names);
  }
}
