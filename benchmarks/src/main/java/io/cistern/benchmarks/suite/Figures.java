package io.cistern.benchmarks.suite;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What is found beside time by the clock. Static, since JMH makes benchmark and profiler apart, in
 * the one JVM that measures one cell at a time.
 */
final class Figures {

  /** Nanoseconds of CPU time in an iteration; when it is over, in one call of the benchmark. */
  static final String CPU = "cpu";

  /** Bytes of garbage, like {@link #CPU}. */
  static final String GARBAGE = "garbage";

  static final Set<String> PER_CALL = Set.of(CPU, GARBAGE);

  /** The most bytes that the allocator held at the end of an iteration. */
  static final String HELD = "held";

  /** The most requested bytes that were live at once. */
  static final String PEAK_LIVE = "peakLive";

  /** Operations in one call of the benchmark, where that is not 1. */
  static final String OPERATIONS = "operations";

  /**
   * CPU nanoseconds of an allocation while the live ones are made, of a free while all are freed.
   */
  static final String FILL = "fill";

  static final String EMPTY = "empty";

  /** Bytes on the Java heap of one live slice: bookkeeping, and the handle if it is an object. */
  static final String HEAP = "heap";

  private static final Map<String, Double> NOTED = new ConcurrentHashMap<>();

  private Figures() {}

  static void clear() {
    NOTED.clear();
  }

  static void clear(String name) {
    NOTED.remove(name);
  }

  static void max(String name, double value) {
    NOTED.merge(name, value, Math::max);
  }

  /** For figures of which each thread, or each call, has a part. */
  static void add(String name, double value) {
    NOTED.merge(name, value, Double::sum);
  }

  static Map<String, Double> noted() {
    return Map.copyOf(NOTED);
  }
}
