package io.cistern.trace.format;

import io.cistern.trace.Origin;
import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceFormat;
import io.cistern.trace.TraceReader;
import io.cistern.trace.table.HeapBudget;
import io.cistern.trace.table.LongTable;
import org.jspecify.annotations.Nullable;

/** Rows in arrays, for formats that can't tell them in the order of the file. */
final class RowTable {

  private static final int ID = 0;
  private static final int SIZE = 1;
  private static final int STREAM = 2;
  private static final int TIME = 3;
  private static final int LINE = 4;
  private static final int HELD = 5;
  private static final int ORIGIN = 6;
  private static final int COLUMNS = 7;

  // SIZE is at least 0 for an allocation, and the complement of the size for a free.
  private final LongTable table;
  private final OriginTable origins = new OriginTable();

  RowTable(HeapBudget budget, TraceFaults faults) {
    this.table = new LongTable(COLUMNS, budget, faults);
  }

  /** The origins that rows refer to. */
  OriginTable origins() {
    return origins;
  }

  void allocated(
      long id, long byteSize, int stream, long timeMicros, long line, long held, int origin)
      throws TraceException {
    table.add(line, id, byteSize, stream, timeMicros, line, held, origin);
  }

  void freed(long id, long byteSize, int stream, long timeMicros, long line, long held)
      throws TraceException {
    table.add(line, id, ~byteSize, stream, timeMicros, line, held, OriginTable.NONE);
  }

  /** More was held after the last row, or at its time. */
  void holdAtEnd(long held) {
    int last = table.rows() - 1;
    if (last >= 0) {
      table.set(last, HELD, Math.max(table.get(last, HELD), held));
    }
  }

  TraceReader reader(TraceFormat format, RecordedFacts facts) {
    return new Rows(format, facts);
  }

  private final class Rows implements TraceReader {

    private final TraceFormat format;
    private final RecordedFacts facts;
    private int row = -1;

    Rows(TraceFormat format, RecordedFacts facts) {
      this.format = format;
      this.facts = facts;
    }

    @Override
    public boolean next() {
      row = Math.min(row + 1, table.rows());
      return row < table.rows();
    }

    @Override
    public boolean isAllocation() {
      return table.get(row, SIZE) >= 0;
    }

    @Override
    public long id() {
      return table.get(row, ID);
    }

    @Override
    public long byteSize() {
      long size = table.get(row, SIZE);
      return size >= 0 ? size : ~size;
    }

    @Override
    public int stream() {
      return (int) table.get(row, STREAM);
    }

    @Override
    public long timeMicros() {
      return table.get(row, TIME);
    }

    @Override
    public long line() {
      return table.get(row, LINE);
    }

    @Override
    public long recordedReserved() {
      return table.get(row, HELD);
    }

    @Override
    public @Nullable Origin origin() {
      return origins.get((int) table.get(row, ORIGIN));
    }

    @Override
    public TraceFormat format() {
      return format;
    }

    @Override
    public TraceFacts facts() {
      return facts;
    }

    @Override
    public void close() {}
  }
}
