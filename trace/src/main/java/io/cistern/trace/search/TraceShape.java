package io.cistern.trace.search;

import io.cistern.trace.replay.DecodedTrace;
import java.util.Map;
import java.util.SortedMap;

/**
 * A trace, and what a search needs to know of it.
 *
 * @param trace the trace
 * @param lowerBound the most bytes that its live slices take at once
 * @param sizes how many allocations it has of each size in bytes
 */
record TraceShape(DecodedTrace trace, long lowerBound, SortedMap<Long, Long> sizes) {

  static TraceShape of(DecodedTrace trace, long byteAlignment) {
    return new TraceShape(trace, trace.lowerBound(byteAlignment), trace.allocationsBySize());
  }

  /** The largest request in bytes; 0 if there is none. */
  long largest() {
    return sizes.isEmpty() ? 0 : sizes.lastKey();
  }

  /** The size up to which this share of all bytes is asked for; 0 if none are. */
  long sizeOfShare(double share) {
    double all = 0;
    for (Map.Entry<Long, Long> entry : sizes.entrySet()) {
      all += (double) entry.getKey() * entry.getValue();
    }
    double below = 0;
    for (Map.Entry<Long, Long> entry : sizes.entrySet()) {
      below += (double) entry.getKey() * entry.getValue();
      if (below >= share * all) {
        return entry.getKey();
      }
    }
    return 0;
  }
}
