package io.cistern.trace.replay;

import io.cistern.config.MemoryPoolsConfig;
import io.cistern.layout.LayoutException;
import io.cistern.storage.Storage;
import io.cistern.trace.ReadOptions;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceReader;
import io.cistern.trace.file.Traces;
import io.cistern.trace.report.ReplayReport;
import io.cistern.trace.table.HeapBudget;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A whole trace in arrays, to be replayed many times: a {@link Replay} without the reading. It
 * takes 32 bytes a row. Does not change, so any number of threads may replay it at once.
 */
public final class DecodedTrace {

  private static final int ROW_BYTE_SIZE = 3 * Long.BYTES + 2 * Integer.BYTES;

  private final String name;
  private final List<Chunk> chunks;
  private final Map<Integer, Integer> streamIndices;
  private final int slots;
  private final long skipped;
  private final Optional<ReplayReport.Recorded> recorded;

  private DecodedTrace(String name, List<Chunk> chunks, ChunkDecoder decoder, long skipped) {
    this.name = name;
    this.chunks = List.copyOf(chunks);
    this.streamIndices = new TreeMap<>(decoder.streamIndices());
    this.slots = decoder.live().slots();
    this.skipped = skipped;
    this.recorded = decoder.recorded();
  }

  /**
   * Reads a trace.
   *
   * @param trace the file
   * @param reading how it is read
   * @param lenient whether bad rows are skipped and counted; otherwise the first is an error
   * @throws IOException if it can't be read, is no trace, or would take more than half of the heap
   */
  public static DecodedTrace read(Path trace, ReadOptions reading, boolean lenient)
      throws IOException {
    return read(trace.toString(), Files.newInputStream(trace), reading, lenient);
  }

  /**
   * Reads a trace.
   *
   * @param name what errors call the trace
   * @param trace the bytes of a file, read once and closed
   * @param reading how it is read
   * @param lenient whether bad rows are skipped and counted; otherwise the first is an error
   * @throws IOException if it can't be read, is no trace, or would take more than half of the heap
   */
  public static DecodedTrace read(
      String name, InputStream trace, ReadOptions reading, boolean lenient) throws IOException {
    TraceFaults faults = TraceFaults.of(name, lenient);
    HeapBudget budget = new HeapBudget();
    try (TraceReader reader = Traces.open(trace, reading, faults)) {
      ChunkDecoder decoder = new ChunkDecoder(reader, faults);
      List<Chunk> chunks = new ArrayList<>();
      Chunk chunk = new Chunk(Chunk.MANY_ROWS);
      while (decoder.decode(chunk)) {
        chunks.add(chunk);
        if (!budget.take((long) ROW_BYTE_SIZE * Chunk.MANY_ROWS)) {
          throw faults.error(chunk.lines[chunk.count - 1], budget.why());
        }
        chunk = new Chunk(Chunk.MANY_ROWS);
      }
      return new DecodedTrace(name, chunks, decoder, faults.skipped());
    }
  }

  /** The trace as it was named. */
  public String name() {
    return name;
  }

  /** The rows. */
  public long operations() {
    return chunks.stream().mapToLong(chunk -> chunk.count).sum();
  }

  /** What the trace tells of the allocator whose run it records; empty if it does not tell. */
  public Optional<ReplayReport.Recorded> recorded() {
    return recorded;
  }

  /**
   * The most bytes that the live slices take at once, each rounded up: no layout reserves less.
   *
   * @param byteAlignment the alignment of slices in bytes, a power of two
   */
  public long lowerBound(long byteAlignment) {
    LowerBound bound = new LowerBound(byteAlignment);
    chunks.forEach(bound::add);
    return bound.byteSize();
  }

  /** How many allocations there are of each size in bytes. */
  public SortedMap<Long, Long> allocationsBySize() {
    SortedMap<Long, Long> counts = new TreeMap<>();
    for (Chunk chunk : chunks) {
      for (int i = 0; i < chunk.count; i++) {
        if (chunk.byteSizes[i] != Chunk.FREE) {
          counts.merge(chunk.byteSizes[i], 1L, Long::sum);
        }
      }
    }
    return Collections.unmodifiableSortedMap(counts);
  }

  /**
   * What a replay did.
   *
   * @param figures what the pools did, as in the report of a {@link Replay}
   * @param nanos the time of the pools, in nanoseconds
   */
  public record Replayed(ReplayReport.Figures figures, long nanos) {}

  /**
   * Replays the trace once. As in a {@link Replay}, each stream has a manager of its own, and a
   * request that can't be served is counted.
   *
   * @param storage a fresh device, which is left empty
   * @param pools the pools of each stream
   * @throws LayoutException if the pools can't work on the device
   */
  public Replayed replay(Storage storage, MemoryPoolsConfig pools) {
    try (ReplayPass pass = new ReplayPass(storage, pools, null, null)) {
      for (Chunk chunk : chunks) {
        pass.run(chunk, streamIndices, slots, () -> false);
      }
      return new Replayed(pass.figures(skipped, recorded, pass.reports()), pass.nanos());
    }
  }
}
