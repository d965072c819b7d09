package io.cistern.trace.picture;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

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

  private static final long UNKNOWN = -1;

  // Bucket b holds the rows from b << shift up to the next bucket's first.
  private final Map<Series, Curve> curves = new EnumMap<>(Series.class);
  private final Curve reserved = newCurve(Series.RESERVED);
  private final Curve inUse = newCurve(Series.IN_USE);
  private final Curve padding = newCurve(Series.PADDING);
  private final Curve recorded = newCurve(Series.RECORDED);
  private final long[] lastTimes = new long[CAPACITY];
  private int shift;
  private long rows;
  private boolean hasTimes;

  /** Makes curves without rows. */
  public Curves() {}

  private Curve newCurve(Series series) {
    Curve curve = new Curve();
    curves.put(series, curve);
    return curve;
  }

  /** The values of one curve. */
  private static final class Curve {

    // By bucket: lowest <= highest; both UNKNOWN where no row of the bucket has a value.
    final long[] lowest = new long[CAPACITY];
    final long[] highest = new long[CAPACITY];
    long peak = UNKNOWN;
    long peakRow;

    Curve() {
      Arrays.fill(lowest, UNKNOWN);
      Arrays.fill(highest, UNKNOWN);
    }

    void add(int bucket, long row, long low, long high) {
      if (high > highest[bucket]) {
        highest[bucket] = high;
        if (high > peak) {
          peak = high;
          peakRow = row;
        }
      }
      if (low < lowest[bucket] || lowest[bucket] == UNKNOWN) {
        lowest[bucket] = low;
      }
    }

    void mergePairs() {
      for (int i = 0; i < CAPACITY / 2; i++) {
        lowest[i] = lower(lowest[2 * i], lowest[2 * i + 1]);
        highest[i] = Math.max(highest[2 * i], highest[2 * i + 1]);
      }
      Arrays.fill(lowest, CAPACITY / 2, CAPACITY, UNKNOWN);
      Arrays.fill(highest, CAPACITY / 2, CAPACITY, UNKNOWN);
    }

    private static long lower(long a, long b) {
      return a == UNKNOWN ? b : b == UNKNOWN ? a : Math.min(a, b);
    }
  }

  /**
   * Adds the next row: its time, and what a curve's value was last.
   *
   * @param timeMicros when it happened, in microseconds from some start
   * @param bytesInUse bytes in use after it
   * @param bytesOfPadding bytes of padding after it
   * @param reservedLow the fewest bytes that were reserved in the course of it
   * @param reservedHigh the most
   * @param recordedReserved the most bytes that the recorded allocator held since the row before;
   *     negative if that is not known
   */
  public void add(
      long timeMicros,
      long bytesInUse,
      long bytesOfPadding,
      long reservedLow,
      long reservedHigh,
      long recordedReserved) {
    if (rows >> shift == CAPACITY) {
      mergePairs();
    }
    int bucket = (int) (rows >> shift);
    rows++;
    hasTimes |= timeMicros != 0;
    lastTimes[bucket] = timeMicros;
    reserved.add(bucket, rows, reservedLow, reservedHigh);
    inUse.add(bucket, rows, bytesInUse, bytesInUse);
    padding.add(bucket, rows, bytesOfPadding, bytesOfPadding);
    if (recordedReserved >= 0) {
      recorded.add(bucket, rows, recordedReserved, recordedReserved);
    }
  }

  private void mergePairs() {
    curves.values().forEach(Curve::mergePairs);
    for (int i = 0; i < CAPACITY / 2; i++) {
      lastTimes[i] = lastTimes[2 * i + 1];
    }
    shift++;
  }

  private Curve curve(Series series) {
    return Objects.requireNonNull(curves.get(series));
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
    return curve(series).peak >= 0;
  }

  /** The lowest value in a bucket, in bytes; negative if it has none. */
  public long lowest(Series series, int bucket) {
    return curve(series).lowest[bucket];
  }

  /** The highest value in a bucket, in bytes; negative if it has none. */
  public long highest(Series series, int bucket) {
    return curve(series).highest[bucket];
  }

  /** The highest value of all, in bytes; negative if there is none. */
  public long peak(Series series) {
    return curve(series).peak;
  }

  /** The row, from 1, that first had the highest value; 0 if there is none. */
  public long peakRow(Series series) {
    return curve(series).peakRow;
  }
}
