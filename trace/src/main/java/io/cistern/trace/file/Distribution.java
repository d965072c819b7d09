package io.cistern.trace.file;

import io.cistern.trace.report.TraceInfo;

/**
 * Counts numbers of at least 0 in constant memory: exactly up to 64, and to 1 part in 32 above.
 * Count, sum, least and most are exact.
 */
final class Distribution {

  private static final int STEPS = 32;
  private static final int STEP_BITS = 5;

  private final long[] counts = new long[STEPS * (Long.SIZE - STEP_BITS)];
  private long count;
  private long sum;
  private long least = Long.MAX_VALUE;
  private long most;

  void add(long value) {
    counts[bucket(value)]++;
    count++;
    sum += value;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }

  private static int bucket(long value) {
    if (value < 2 * STEPS) {
      return (int) value;
    }
    int shift = Long.SIZE - Long.numberOfLeadingZeros(value) - STEP_BITS - 1;
    return (shift << STEP_BITS) + (int) (value >>> shift);
  }

  private static long lowest(int bucket) {
    if (bucket < 2 * STEPS) {
      return bucket;
    }
    int shift = (bucket >> STEP_BITS) - 1;
    return ((long) bucket - ((long) shift << STEP_BITS)) << shift;
  }

  TraceInfo.Spread spread() {
    return new TraceInfo.Spread(
        count, sum, count == 0 ? 0 : least, quantile(0.5), quantile(0.9), most);
  }

  private long quantile(double share) {
    long rank = (long) Math.ceil(share * count);
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen >= rank && seen > 0) {
        return Math.min(most, Math.max(least, lowest(i)));
      }
    }
    return 0;
  }
}
