package io.cistern.trace;

import java.util.Arrays;

/** Rows in arrays, for formats that can't tell them in the order of the file. */
final class RowTable {

  private static final int ROW_BYTE_SIZE = 48;
  private static final int FIRST_CAPACITY = 256;

  private final TraceFaults faults;

  // Row i: sizes[i] >= 0 of an allocation, and the complement of it for a free.
  private long[] ids = new long[FIRST_CAPACITY];
  private long[] sizes = new long[FIRST_CAPACITY];
  private long[] times = new long[FIRST_CAPACITY];
  private long[] lines = new long[FIRST_CAPACITY];
  private long[] reserved = new long[FIRST_CAPACITY];
  private int[] streams = new int[FIRST_CAPACITY];
  private int count;

  RowTable(TraceFaults faults) {
    this.faults = faults;
  }

  void allocated(long id, long byteSize, int stream, long timeMicros, long line, long held)
      throws TraceException {
    add(id, byteSize, stream, timeMicros, line, held);
  }

  void freed(long id, long byteSize, int stream, long timeMicros, long line, long held)
      throws TraceException {
    add(id, ~byteSize, stream, timeMicros, line, held);
  }

  private void add(long id, long size, int stream, long timeMicros, long line, long held)
      throws TraceException {
    if (count == ids.length) {
      grow(line);
    }
    ids[count] = id;
    sizes[count] = size;
    streams[count] = stream;
    times[count] = timeMicros;
    lines[count] = line;
    reserved[count] = held;
    count++;
  }

  private void grow(long line) throws TraceException {
    // The old arrays and the new ones are there at once.
    if (3L * ROW_BYTE_SIZE * count > HeapBound.byteSize()) {
      throw faults.error(line, HeapBound.why(HeapBound.byteSize()));
    }
    int capacity = 2 * count;
    ids = Arrays.copyOf(ids, capacity);
    sizes = Arrays.copyOf(sizes, capacity);
    times = Arrays.copyOf(times, capacity);
    lines = Arrays.copyOf(lines, capacity);
    reserved = Arrays.copyOf(reserved, capacity);
    streams = Arrays.copyOf(streams, capacity);
  }

  /** More was held after the last row, or at its time. */
  void holdAtEnd(long held) {
    if (count > 0) {
      reserved[count - 1] = Math.max(reserved[count - 1], held);
    }
  }

  TraceReader reader(TraceFormat format, TraceFacts facts) {
    return new Rows(format, facts);
  }

  private final class Rows implements TraceReader {

    private final TraceFormat format;
    private final TraceFacts facts;
    private int row = -1;

    Rows(TraceFormat format, TraceFacts facts) {
      this.format = format;
      this.facts = facts;
    }

    @Override
    public boolean next() {
      row = Math.min(row + 1, count);
      return row < count;
    }

    @Override
    public boolean isAllocation() {
      return sizes[row] >= 0;
    }

    @Override
    public long id() {
      return ids[row];
    }

    @Override
    public long byteSize() {
      return sizes[row] >= 0 ? sizes[row] : ~sizes[row];
    }

    @Override
    public int stream() {
      return streams[row];
    }

    @Override
    public long timeMicros() {
      return times[row];
    }

    @Override
    public long line() {
      return lines[row];
    }

    @Override
    public long recordedReserved() {
      return reserved[row];
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
