package io.cistern.trace.report;

import io.cistern.layout.PoolLayout;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Whether a trace fits the memory of a device. Sizes are in bytes.
 *
 * @param trace the trace as it was named
 * @param memory the device's memory
 * @param byteAlignment the device's alignment
 * @param lowerBound the most bytes that the trace's live slices take at once
 * @param recordedPeak the most bytes that the recorded allocator held; empty if the trace does not
 *     tell
 * @param rows the layouts that were tried: those that fit first, fewest bytes first
 * @param interrupted whether it was ended before its time: rows may lack their smallest memory
 */
public record FitReport(
    String trace,
    long memory,
    long byteAlignment,
    long lowerBound,
    OptionalLong recordedPeak,
    List<Row> rows,
    boolean interrupted) {

  /** Makes a report; the list is copied. */
  public FitReport {
    rows = List.copyOf(rows);
  }

  /** The layout that fits with the most room; empty if none does. */
  public Optional<Row> best() {
    return rows.stream().filter(Row::fits).findFirst();
  }

  /** The layout that fits the smallest memory; empty if none was found. */
  public Optional<Row> smallest() {
    return rows.stream()
        .filter(row -> row.smallest().isPresent())
        .min(Comparator.comparingLong(row -> row.smallest().getAsLong()));
  }

  /**
   * A layout.
   *
   * @param name what it is, in a few words
   * @param layout its pools on the device
   * @param peakReserved the most bytes that they held there
   * @param driverCalls the blocks that the driver made and took back
   * @param refused the requests that could not be served there
   * @param firstRefusal the first of them
   * @param smallest the smallest memory that was found to serve every request; empty if there is
   *     none
   */
  public record Row(
      String name,
      PoolLayout layout,
      long peakReserved,
      long driverCalls,
      long refused,
      Optional<ReplayReport.Refusal> firstRefusal,
      OptionalLong smallest) {

    /** Whether every request was served. */
    public boolean fits() {
      return refused == 0;
    }
  }
}
