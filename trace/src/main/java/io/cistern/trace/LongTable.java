package io.cistern.trace;

import java.util.Arrays;

/** A table of numbers that grows by rows, up to a bound on memory. */
final class LongTable {

  private static final int FIRST_CAPACITY = 256;

  private final TraceFaults faults;
  private final long[][] columns;
  private int rows;

  LongTable(int columns, TraceFaults faults) {
    this.columns = new long[columns][FIRST_CAPACITY];
    this.faults = faults;
  }

  int rows() {
    return rows;
  }

  long get(int row, int column) {
    return columns[column][row];
  }

  void set(int row, int column, long value) {
    columns[column][row] = value;
  }

  /**
   * Adds a row.
   *
   * @param line where it stands, for the error
   * @throws TraceException if the table would be too large
   */
  void add(long line, long... values) throws TraceException {
    if (rows == columns[0].length) {
      grow(line);
    }
    for (int i = 0; i < columns.length; i++) {
      columns[i][rows] = values[i];
    }
    rows++;
  }

  private void grow(long line) throws TraceException {
    long byteSize = 2L * rows * columns.length * Long.BYTES;
    if (byteSize > HeapBound.byteSize() || rows > Integer.MAX_VALUE / 4) {
      throw faults.error(line, HeapBound.why(HeapBound.byteSize()));
    }
    for (int i = 0; i < columns.length; i++) {
      columns[i] = Arrays.copyOf(columns[i], 2 * rows);
    }
  }
}
