package io.cistern.trace.report;

import io.cistern.manager.MemoryReport;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a replay found.
 *
 * @param subject what was replayed on what
 * @param figures what the pools did; the same at each replay of the same subject
 * @param timing how long the pools worked, which differs from run to run
 * @param interrupted whether the replay was ended before its time; the figures then are of the rows
 *     up to there, or of a whole pass if one was done
 */
public record ReplayReport(Subject subject, Figures figures, Timing timing, boolean interrupted) {

  /**
   * What was replayed on what.
   *
   * @param trace the trace as it was named
   * @param device the device as it was named
   * @param layout the layout as it was named
   * @param byteAlignment the device's alignment in bytes
   * @param maxPageByteSize the device's hint for presets in bytes
   * @param touched whether each slice was written and verified
   */
  public record Subject(
      String trace,
      String device,
      String layout,
      long byteAlignment,
      long maxPageByteSize,
      boolean touched) {}

  /**
   * What the pools did. Sizes are in bytes.
   *
   * @param streams the streams that have allocations, each with a manager of its own
   * @param allocations the allocations of the trace, refused ones included
   * @param frees the frees of the trace; those of refused allocations do nothing
   * @param refused the allocations that could not be served
   * @param skipped the bad rows that were left out
   * @param peakInUse the most requested bytes that were live at once
   * @param peakReserved the most bytes that the pools held at once
   * @param peakPadding the most bytes that alignment cost at once
   * @param recorded what the trace tells of the allocator whose run it records; empty if it does
   *     not tell
   * @param end what was left when the trace ended
   * @param deviceAllocations the blocks that the driver made
   * @param deviceFrees the blocks that the driver took back before the end
   * @param spills the requests that a full pool passed on
   * @param pools each pool of each stream, by stream, then in routing order
   * @param firstRefusal the first allocation that could not be served
   * @param mismatches the slices whose pattern was broken
   * @param firstMismatch the first of these
   */
  public record Figures(
      int streams,
      long allocations,
      long frees,
      long refused,
      long skipped,
      long peakInUse,
      long peakReserved,
      long peakPadding,
      Optional<Recorded> recorded,
      End end,
      long deviceAllocations,
      long deviceFrees,
      long spills,
      List<PoolFigures> pools,
      Optional<Refusal> firstRefusal,
      long mismatches,
      Optional<Mismatch> firstMismatch) {

    /** Makes figures; the list is copied. */
    public Figures {
      pools = List.copyOf(pools);
    }

    /** The rows replayed: allocations and frees. */
    public long operations() {
      return allocations + frees;
    }

    /** The blocks that the driver made, and those that it took back before the end. */
    public long driverCalls() {
      return deviceAllocations + deviceFrees;
    }

    /** Peak reserved over peak in use; empty if nothing was in use. */
    public OptionalDouble overhead() {
      return peakInUse == 0
          ? OptionalDouble.empty()
          : OptionalDouble.of((double) peakReserved / peakInUse);
    }

    /** Whether every request was served and no slice overlapped another. */
    public boolean isGood() {
      return refused == 0 && mismatches == 0;
    }
  }

  /**
   * What the allocator cost whose run a trace records.
   *
   * @param peakReserved the most bytes that it reserved
   * @param unseen the bytes in it that were live throughout and are no rows, so that nothing here
   *     has them
   */
  public record Recorded(long peakReserved, long unseen) {}

  /**
   * What was left when the trace ended.
   *
   * @param allocations live allocations
   * @param inUse their requested bytes
   * @param reserved the bytes that the pools held
   */
  public record End(long allocations, long inUse, long reserved) {}

  /**
   * One pool of one stream at the end of the trace.
   *
   * @param stream the stream
   * @param report what the pool holds and did
   */
  public record PoolFigures(int stream, MemoryReport.PoolReport report) {}

  /**
   * An allocation that could not be served.
   *
   * @param line its line in the trace
   * @param id its id
   * @param byteSize its size in bytes
   * @param reason what the pools said
   */
  public record Refusal(long line, long id, long byteSize, String reason) {}

  /**
   * A slice that somebody else wrote to.
   *
   * @param line the line in the trace of its allocation
   * @param id its id
   * @param byteSize its size in bytes
   * @param byteOffset the first byte of the slice that is not its own
   */
  public record Mismatch(long line, long id, long byteSize, long byteOffset) {}

  /**
   * How long the pools worked.
   *
   * @param passes the passes over the trace that were done
   * @param nanos the median pass among the later half, or the part of one that was done, in
   *     nanoseconds; reading the trace is no part of it, touching is
   */
  public record Timing(int passes, long nanos) {}

  /** The time per row in nanoseconds; empty if there was no row. */
  public OptionalDouble nanosPerOperation() {
    return figures.operations() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) timing.nanos() / figures.operations());
  }
}
