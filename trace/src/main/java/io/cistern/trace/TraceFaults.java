package io.cistern.trace;

import java.util.ArrayList;
import java.util.List;

/**
 * What becomes of bad rows: the first ends the reading, or all are skipped and counted. Not safe
 * for many threads.
 */
public final class TraceFaults {

  /** So many problems are kept in words. */
  public static final int MOST_KEPT = 20;

  private final String file;
  private final boolean lenient;
  private final List<TraceException> problems = new ArrayList<>();
  private long skipped;
  private long odd;

  private TraceFaults(String file, boolean lenient) {
    this.file = file;
    this.lenient = lenient;
  }

  /**
   * Strict or lenient, as asked for.
   *
   * @param file the name that errors give the file
   * @param lenient whether bad rows are skipped and counted; otherwise the first is an error
   */
  public static TraceFaults of(String file, boolean lenient) {
    return new TraceFaults(file, lenient);
  }

  /**
   * The first bad row is an error.
   *
   * @param file the name that errors give the file
   */
  public static TraceFaults strict(String file) {
    return new TraceFaults(file, false);
  }

  /**
   * Bad rows are skipped and counted.
   *
   * @param file the name that errors give the file
   */
  public static TraceFaults lenient(String file) {
    return new TraceFaults(file, true);
  }

  /**
   * Takes note of a bad row, which the caller then skips.
   *
   * @param line the row's line, from 1
   * @param reason what is wrong with it
   * @throws TraceException if bad rows are errors
   */
  public void add(long line, String reason) throws TraceException {
    note(error(line, reason));
    skipped++;
  }

  /**
   * Takes note of a row that contradicts others and is read all the same, such as a free of another
   * size.
   *
   * @param line the row's line, from 1
   * @param reason what is wrong with it
   * @throws TraceException if bad rows are errors
   */
  public void addOdd(long line, String reason) throws TraceException {
    note(error(line, reason));
    odd++;
  }

  /**
   * Takes note of a fault after which nothing more can be read; the trace then ends.
   *
   * @throws TraceException the fault, if faults are errors
   */
  public void end(TraceException fault) throws TraceException {
    note(fault);
    skipped++;
  }

  private void note(TraceException problem) throws TraceException {
    if (!lenient) {
      throw problem;
    }
    if (problems.size() < MOST_KEPT) {
      problems.add(problem);
    }
  }

  /** An error that no leniency helps against, such as a missing header. */
  public TraceException error(long line, String reason) {
    return new TraceException(file, line, reason);
  }

  /** An error at a byte, from 0, of a file that has no lines. */
  public TraceException errorAtByte(long byteOffset, String reason) {
    return TraceException.atByte(file, byteOffset, reason);
  }

  /** The bad rows so far that were left out. */
  public long skipped() {
    return skipped;
  }

  /** The rows so far that contradict others and were read all the same. */
  public long odd() {
    return odd;
  }

  /** The first problems, at most {@value #MOST_KEPT}. */
  public List<TraceException> problems() {
    return List.copyOf(problems);
  }
}
