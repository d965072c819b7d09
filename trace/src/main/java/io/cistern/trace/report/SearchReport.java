package io.cistern.trace.report;

import io.cistern.layout.PoolLayout;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What a search for layouts found.
 *
 * @param seed what its random choices came from
 * @param evaluations the layouts that were tried
 * @param end why it ended
 * @param byteAlignment the alignment in bytes that it searched for
 * @param mostCalls the driver calls a trace that the best may take
 * @param presets the presets, beside what was found; without those that refuse a request
 * @param front what nothing beats in both bytes and driver calls, fewest bytes first
 * @param best the one of the front with the fewest bytes among those with few enough driver calls;
 *     if there is none, the one with the fewest calls
 * @param validation the best on the traces that were kept out of the search
 */
public record SearchReport(
    long seed,
    int evaluations,
    End end,
    long byteAlignment,
    long mostCalls,
    List<Scored> presets,
    List<Scored> front,
    Scored best,
    Optional<Scored> validation) {

  /** Makes a report; the lists are copied. */
  public SearchReport {
    presets = List.copyOf(presets);
    front = List.copyOf(front);
  }

  /** Why a search ended. */
  public enum End {
    /** It tried as many layouts as it was to: the result can be had again. */
    EVALUATIONS,
    /** Its time was over. */
    TIME,
    /** It was interrupted. */
    INTERRUPTED
  }

  /**
   * A layout, and what it cost.
   *
   * @param name what it is, in a few words
   * @param layout its pools on the device
   * @param traces what it cost on each trace
   * @param nanosPerOperation the time of a row in nanoseconds, over all traces; empty if it was not
   *     measured
   */
  public record Scored(
      String name, PoolLayout layout, List<OnTrace> traces, OptionalDouble nanosPerOperation) {

    /** Makes a score; the list is copied. */
    public Scored {
      traces = List.copyOf(traces);
    }

    /** Whether every request of every trace was served. */
    public boolean isGood() {
      return traces.stream().allMatch(trace -> trace.refused() == 0);
    }

    /** The geometric mean over the traces of peak reserved over the lower bound. */
    public double ratio() {
      double sum = 0;
      // StrictMath, since the search decides by this and gives the same result on any machine.
      for (OnTrace trace : traces) {
        sum += StrictMath.log(trace.ratio());
      }
      return StrictMath.exp(sum / traces.size());
    }

    /** The most driver calls on any trace. */
    public long calls() {
      return traces.stream().mapToLong(OnTrace::driverCalls).max().orElse(0);
    }

    /** The most bytes reserved on any trace. */
    public long peakReserved() {
      return traces.stream().mapToLong(OnTrace::peakReserved).max().orElse(0);
    }
  }

  /**
   * What a layout cost on a trace.
   *
   * @param trace the trace as it was named
   * @param operations its rows
   * @param refused the requests that were not served
   * @param lowerBound the most bytes that its live slices take at once
   * @param peakReserved the most bytes that the pools held
   * @param driverCalls the blocks that the driver made and took back
   * @param recordedPeak the most bytes that the recorded allocator held; empty if the trace does
   *     not tell
   */
  public record OnTrace(
      String trace,
      long operations,
      long refused,
      long lowerBound,
      long peakReserved,
      long driverCalls,
      OptionalLong recordedPeak) {

    /** Peak reserved over the lower bound; a trace without bytes counts as one of a byte. */
    public double ratio() {
      return (double) Math.max(1, peakReserved) / Math.max(1, lowerBound);
    }
  }
}
