package io.cistern.trace.report;

import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFormat;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;

/**
 * What a trace holds. Sizes are in bytes.
 *
 * @param trace the trace as it was named
 * @param format its format
 * @param facts what the recording tells beside its rows
 * @param allocations the allocations
 * @param frees the frees
 * @param emptyAllocations the allocations of no bytes
 * @param sizes the sizes of allocations
 * @param distinctSizes how many sizes there are, exact up to {@link #MOST_DISTINCT}, which stands
 *     for more
 * @param lifetimeRows the rows from an allocation to its free
 * @param lifetimeMicros the time from an allocation to its free; all 0 where the trace has none
 * @param streams the allocations of each stream
 * @param peakLive the most bytes that were live at once: no layout reserves less
 * @param peakLine where that was first reached
 * @param peakCount the most allocations that were live at once
 * @param end what was live at the end
 * @param recordedPeak the most bytes that the recorded allocator reserved; empty if the trace does
 *     not tell
 * @param durationMicros the time from the first row to the last
 * @param skipped the bad rows that were left out
 * @param odd the rows that contradict others and were read all the same
 * @param problems the first of these
 */
public record TraceInfo(
    String trace,
    TraceFormat format,
    TraceFacts facts,
    long allocations,
    long frees,
    long emptyAllocations,
    Spread sizes,
    int distinctSizes,
    Spread lifetimeRows,
    Spread lifetimeMicros,
    SortedMap<Integer, Long> streams,
    long peakLive,
    long peakLine,
    long peakCount,
    End end,
    OptionalLong recordedPeak,
    long durationMicros,
    long skipped,
    long odd,
    List<TraceException> problems) {

  /** So many different sizes are told apart. */
  public static final int MOST_DISTINCT = 1 << 16;

  /**
   * How numbers spread. The quantiles are lower bounds, exact up to 64 and to 1 part in 32 above.
   *
   * @param count how many
   * @param sum their sum
   * @param least the least; 0 if there are none
   * @param median as large as at least half of them
   * @param most90 as large as at least 90 % of them
   * @param most the largest
   */
  public record Spread(long count, long sum, long least, long median, long most90, long most) {}

  /**
   * What was live when the trace ended.
   *
   * @param allocations the allocations
   * @param byteSize their bytes
   */
  public record End(long allocations, long byteSize) {}

  /** The rows. */
  public long operations() {
    return allocations + frees;
  }
}
