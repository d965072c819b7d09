package io.cistern.trace;

/** Some rows of a trace, decoded into arrays. */
final class Chunk {

  /** The rows of a full chunk: enough to hide the clock, few enough to stay in the cache. */
  static final int CAPACITY = 1 << 14;

  /** Stands for the size of a free. */
  static final long FREE = -1;

  // Row i: slots[i] is what is allocated or freed, byteSizes[i] >= 0 or FREE, streams[i] the index
  // of
  // the stream of an allocation.
  final int[] slots = new int[CAPACITY];
  final long[] byteSizes = new long[CAPACITY];
  final int[] streams = new int[CAPACITY];
  final long[] ids = new long[CAPACITY];
  final long[] lines = new long[CAPACITY];
  int count;
}
