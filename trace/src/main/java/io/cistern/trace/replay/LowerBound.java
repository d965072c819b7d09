package io.cistern.trace.replay;

import io.cistern.trace.ReadOptions;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceReader;
import io.cistern.trace.file.Traces;
import io.cistern.trace.input.CountingInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * What no layout can go below: the most bytes that the live slices of a trace take at once, each
 * rounded up to the alignment, as no two slices share one.
 */
public final class LowerBound {

  /** More than any device has: a request of more is served by none. Keeps sums in range. */
  private static final long MOST = 1L << 48;

  private final long byteAlignment;
  private long[] bySlot = new long[1024];
  private long live;
  private long peak;

  LowerBound(long byteAlignment) {
    this.byteAlignment = byteAlignment;
  }

  void add(Chunk chunk) {
    for (int i = 0; i < chunk.count; i++) {
      int slot = chunk.slots[i];
      if (slot >= bySlot.length) {
        bySlot = Arrays.copyOf(bySlot, Math.max(slot + 1, 2 * bySlot.length));
      }
      long byteSize = chunk.byteSizes[i];
      if (byteSize == Chunk.FREE) {
        live -= bySlot[slot];
      } else {
        bySlot[slot] = (Math.min(byteSize, MOST) + byteAlignment - 1) & -byteAlignment;
        live += bySlot[slot];
        peak = Math.max(peak, live);
      }
    }
  }

  long byteSize() {
    return peak;
  }

  /**
   * Reads a trace for its lower bound, in memory that grows with what is live alone.
   *
   * @param trace the file
   * @param reading how it is read
   * @param lenient whether bad rows are skipped; otherwise the first is an error
   * @param byteAlignment the alignment of slices in bytes, a power of two
   * @param progress is told how many bytes of the file are read
   * @param interrupted whether to stop
   * @return the bytes; empty if it was interrupted
   * @throws IOException if it can't be read, or is no trace
   */
  public static OptionalLong of(
      Path trace,
      ReadOptions reading,
      boolean lenient,
      long byteAlignment,
      LongConsumer progress,
      BooleanSupplier interrupted)
      throws IOException {
    String name = trace.toString();
    TraceFaults faults = TraceFaults.of(name, lenient);
    try (CountingInput in = new CountingInput(Files.newInputStream(trace));
        TraceReader reader = Traces.open(in, reading, faults)) {
      ChunkDecoder decoder = new ChunkDecoder(reader, faults);
      LowerBound bound = new LowerBound(byteAlignment);
      Chunk chunk = new Chunk(Chunk.MANY_ROWS);
      while (decoder.decode(chunk)) {
        if (interrupted.getAsBoolean()) {
          return OptionalLong.empty();
        }
        bound.add(chunk);
        progress.accept(in.byteCount());
      }
      return OptionalLong.of(bound.byteSize());
    }
  }
}
