package io.cistern.trace.table;

import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFaults;
import java.util.Arrays;

/** A table of numbers that grows by rows, as far as a budget of memory allows. */
public final class LongTable {

  private static final int FIRST_CAPACITY = 256;

  private final HeapBudget budget;
  private final TraceFaults faults;
  private final long[][] columns;
  private int rows;

  /** Makes a table of so many columns. */
  public LongTable(int columns, HeapBudget budget, TraceFaults faults) {
    this.columns = new long[columns][FIRST_CAPACITY];
    this.budget = budget;
    this.faults = faults;
  }

  /** The rows so far. */
  public int rows() {
    return rows;
  }

  /** A number. */
  public long get(int row, int column) {
    return columns[column][row];
  }

  /** Puts a number in place of another. */
  public void set(int row, int column, long value) {
    columns[column][row] = value;
  }

  /**
   * Adds a row.
   *
   * @param line where it stands, for the error
   * @throws TraceException if the table would be too large
   */
  public void add(long line, long... values) throws TraceException {
    if (rows == columns[0].length) {
      grow(line);
    }
    for (int i = 0; i < columns.length; i++) {
      columns[i][rows] = values[i];
    }
    rows++;
  }

  private void grow(long line) throws TraceException {
    // As much again.
    if (rows > Integer.MAX_VALUE / 4 || !budget.take((long) rows * columns.length * Long.BYTES)) {
      throw faults.error(line, budget.why());
    }
    for (int i = 0; i < columns.length; i++) {
      columns[i] = Arrays.copyOf(columns[i], 2 * rows);
    }
  }
}
