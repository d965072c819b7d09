package io.cistern.trace.replay;

import io.cistern.trace.Origin;
import org.jspecify.annotations.Nullable;

/** Some rows of a trace, decoded into arrays. */
final class Chunk {

  /**
   * Enough rows to hide the clock and what decoding has driven out of the cache, which costs up to
   * 20 ns a row where a chunk has 2^14.
   */
  static final int MANY_ROWS = 1 << 16;

  /** For rows that take long each, so that progress shows. */
  static final int FEW_ROWS = 1 << 8;

  /** Stands for the size of a free. */
  static final long FREE = -1;

  // Row i: slots[i] is what is allocated or freed, byteSizes[i] >= 0 or FREE, streams[i] the index
  // of the stream of an allocation. recorded[i] and origins[i] are as in TraceReader. The last
  // three
  // may be empty.
  final int[] slots;
  final long[] byteSizes;
  final int[] streams;
  final long[] ids;
  final long[] lines;
  final long[] timesMicros;
  final long[] recorded;
  final @Nullable Origin[] origins;
  int count;

  /** Makes an empty chunk with room for so many rows, without what is for pictures alone. */
  Chunk(int capacity) {
    this(capacity, 0);
  }

  /** Makes an empty chunk with room for so many rows, for pictures. */
  static Chunk forPictures(int capacity) {
    return new Chunk(capacity, capacity);
  }

  private Chunk(int capacity, int forPictures) {
    this.slots = new int[capacity];
    this.byteSizes = new long[capacity];
    this.streams = new int[capacity];
    this.ids = new long[capacity];
    this.lines = new long[capacity];
    this.timesMicros = new long[forPictures];
    this.recorded = new long[forPictures];
    this.origins = new @Nullable Origin[forPictures];
  }

  /** Whether it takes what is for pictures alone. */
  boolean isForPictures() {
    return timesMicros.length > 0;
  }

  int capacity() {
    return slots.length;
  }
}
