package io.cistern.benchmarks.suite;

import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceReader;
import io.cistern.trace.file.Traces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** A trace in memory, its ids as places that are used again. */
final class TraceRows {

  /** In {@link #byteSizes}, a row that frees. */
  static final long FREE = -1;

  final int[] slots;
  final int[] streams;
  final long[] byteSizes;
  final int slotCount;
  final int streamCount;

  /** The rows of what the program never freed. */
  final int[] neverFreed;

  private TraceRows(Reading reading) {
    slots = reading.slots.build().toArray();
    streams = reading.streams.build().toArray();
    byteSizes = reading.byteSizes.build().toArray();
    slotCount = reading.slotCount;
    neverFreed = reading.live.values().stream().mapToInt(Live::row).toArray();
    streamCount = IntStream.of(streams).max().orElse(0) + 1;
  }

  static TraceRows of(Path trace) throws IOException {
    Reading reading = new Reading();
    try (TraceReader rows = Traces.open(trace, TraceFaults.strict(trace.toString()))) {
      while (rows.next()) {
        reading.row(rows);
      }
    }
    return new TraceRows(reading);
  }

  private record Live(int row, int slot, int stream) {}

  private static final class Reading {
    private final IntStream.Builder slots = IntStream.builder();
    private final IntStream.Builder streams = IntStream.builder();
    private final LongStream.Builder byteSizes = LongStream.builder();
    private final Map<Long, Live> live = new HashMap<>();
    private final Deque<Integer> empty = new ArrayDeque<>();
    private int slotCount;
    private int row;

    void row(TraceReader next) {
      if (next.isAllocation()) {
        Live made = new Live(row, empty.isEmpty() ? slotCount++ : empty.pop(), next.stream());
        live.put(next.id(), made);
        add(made, next.byteSize());
      } else {
        Live freed = live.remove(next.id());
        if (freed == null) {
          throw new IllegalArgumentException("line " + next.line() + " frees what is not live");
        }
        empty.push(freed.slot);
        add(freed, FREE);
      }
    }

    private void add(Live at, long byteSize) {
      slots.add(at.slot);
      // A free goes to the manager of its allocation, whichever stream it is in.
      streams.add(at.stream);
      byteSizes.add(byteSize);
      row++;
    }
  }
}
