package io.cistern.trace.picture;

import java.util.Arrays;

/**
 * What memory was used for over the rows of a trace, in bytes, in constant memory.
 *
 * <p>Rows are gathered in buckets, each with the lowest and the highest value of each curve; when
 * all are taken, neighbours merge in pairs. So no peak is lost, and the place of each is known to a
 * bucket; that of the highest is known to the row. Some 300 KB. Not safe for many threads.
 */
public final class Curves {

  /** A curve. */
  public enum Series {
    /** What the pools held from the driver. */
    RESERVED,
    /** What was asked for and live. */
    IN_USE,
    /** What rounding up to the device's alignment cost. */
    PADDING,
    /** What the recorded allocator held from its driver. */
    RECORDED
  }

  /** The most buckets there are. */
  public static final int CAPACITY = 4096;

  private static final int COUNT = Series.values().length;

  // Bucket b holds the rows from b << shift up to the next bucket's first. lowest <= highest; both
  // UNKNOWN where no row of the bucket has a value.
  private static final long UNKNOWN = -1;
  private final long[][] lowest = new long[COUNT][CAPACITY];
  private final long[][] highest = new long[COUNT][CAPACITY];
  private final long[] lastTimes = new long[CAPACITY];
  private int shift;
  private long rows;

  private final long[] peaks = new long[COUNT];
  private final long[] peakRows = new long[COUNT];
  private boolean hasTimes;

  /** Makes curves without rows. */
  public Curves() {
    for (int i = 0; i < COUNT; i++) {
      Arrays.fill(lowest[i], UNKNOWN);
      Arrays.fill(highest[i], UNKNOWN);
    }
    Arrays.fill(peaks, UNKNOWN);
  }

  /**
   * Adds the next row: its time, and what a curve's value was last.
   *
   * @param timeMicros when it happened, in microseconds from some start
   * @param inUse bytes in use after it
   * @param padding bytes of padding after it
   * @param reservedLow the fewest bytes that were reserved in the course of it
   * @param reservedHigh the most
   * @param recorded the most bytes that the recorded allocator held since the row before; negative
   *     if that is not known
   */
  public void add(
      long timeMicros,
      long inUse,
      long padding,
      long reservedLow,
      long reservedHigh,
      long recorded) {
    if (rows >> shift == CAPACITY) {
      mergePairs();
    }
    int bucket = (int) (rows >> shift);
    rows++;
    hasTimes |= timeMicros != 0;
    lastTimes[bucket] = timeMicros;
    add(Series.RESERVED, bucket, reservedLow, reservedHigh);
    add(Series.IN_USE, bucket, inUse, inUse);
    add(Series.PADDING, bucket, padding, padding);
    if (recorded >= 0) {
      add(Series.RECORDED, bucket, recorded, recorded);
    }
  }

  private void add(Series series, int bucket, long low, long high) {
    int curve = series.ordinal();
    if (high > highest[curve][bucket]) {
      highest[curve][bucket] = high;
      if (high > peaks[curve]) {
        peaks[curve] = high;
        peakRows[curve] = rows;
      }
    }
    long lowSoFar = lowest[curve][bucket];
    if (low < lowSoFar || lowSoFar == UNKNOWN) {
      lowest[curve][bucket] = low;
    }
  }

  private void mergePairs() {
    for (int curve = 0; curve < COUNT; curve++) {
      for (int i = 0; i < CAPACITY / 2; i++) {
        lowest[curve][i] = lower(lowest[curve][2 * i], lowest[curve][2 * i + 1]);
        highest[curve][i] = Math.max(highest[curve][2 * i], highest[curve][2 * i + 1]);
      }
      Arrays.fill(lowest[curve], CAPACITY / 2, CAPACITY, UNKNOWN);
      Arrays.fill(highest[curve], CAPACITY / 2, CAPACITY, UNKNOWN);
    }
    for (int i = 0; i < CAPACITY / 2; i++) {
      lastTimes[i] = lastTimes[2 * i + 1];
    }
    shift++;
  }

  private static long lower(long a, long b) {
    return a == UNKNOWN ? b : b == UNKNOWN ? a : Math.min(a, b);
  }

  /** The trace has no clock: what it has for times is not shown. */
  public void dropTimes() {
    hasTimes = false;
  }

  /** Whether rows have times. */
  public boolean hasTimes() {
    return hasTimes;
  }

  /** The rows so far. */
  public long rows() {
    return rows;
  }

  /** The buckets so far. */
  public int buckets() {
    return (int) ((rows + rowsPerBucket() - 1) >> shift);
  }

  /** The rows that a bucket stands for, the last one aside; a power of two. */
  public long rowsPerBucket() {
    return 1L << shift;
  }

  /** The time of a bucket's last row, in microseconds. */
  public long timeMicros(int bucket) {
    return lastTimes[bucket];
  }

  /** Whether a curve has values. */
  public boolean has(Series series) {
    return peaks[series.ordinal()] >= 0;
  }

  /** The lowest value in a bucket, in bytes; negative if it has none. */
  public long lowest(Series series, int bucket) {
    return lowest[series.ordinal()][bucket];
  }

  /** The highest value in a bucket, in bytes; negative if it has none. */
  public long highest(Series series, int bucket) {
    return highest[series.ordinal()][bucket];
  }

  /** The highest value of all, in bytes; negative if there is none. */
  public long peak(Series series) {
    return peaks[series.ordinal()];
  }

  /** The row, from 1, that first had the highest value; 0 if there is none. */
  public long peakRow(Series series) {
    return peakRows[series.ordinal()];
  }
}
