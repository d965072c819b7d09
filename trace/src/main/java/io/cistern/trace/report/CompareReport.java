package io.cistern.trace.report;

import java.util.List;
import java.util.OptionalDouble;

/**
 * What layouts cost on traces, side by side.
 *
 * @param device the device as it was named
 * @param byteAlignment its alignment in bytes
 * @param rows what was finished, by trace and then by layout, in the order in which they were given
 * @param asked how many rows were asked for: fewer are there if it was interrupted
 */
public record CompareReport(String device, long byteAlignment, List<Row> rows, int asked) {

  /** Makes a report; the list is copied. */
  public CompareReport {
    rows = List.copyOf(rows);
  }

  /** Whether something that was asked for is missing. */
  public boolean interrupted() {
    return rows.size() < asked;
  }

  /**
   * One trace on one layout.
   *
   * @param report the replay
   * @param lowerBound the most bytes that the trace's live slices take at once
   */
  public record Row(ReplayReport report, long lowerBound) {

    /** Peak reserved over the lower bound; empty if nothing is ever live. */
    public OptionalDouble ratio() {
      return lowerBound == 0
          ? OptionalDouble.empty()
          : OptionalDouble.of((double) report.figures().peakReserved() / lowerBound);
    }

    /** The blocks that the driver made and took back. */
    public long driverCalls() {
      return report.figures().driverCalls();
    }
  }
}
