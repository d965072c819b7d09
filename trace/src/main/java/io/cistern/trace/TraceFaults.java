package io.cistern.trace;

/**
 * What becomes of bad rows: the first ends the reading, or all are skipped and counted. Not safe
 * for many threads.
 */
public final class TraceFaults {

  private final String file;
  private final boolean lenient;
  private long skipped;

  private TraceFaults(String file, boolean lenient) {
    this.file = file;
    this.lenient = lenient;
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
    if (!lenient) {
      throw error(line, reason);
    }
    skipped++;
  }

  /** An error that no leniency helps against, such as a missing header. */
  public TraceException error(long line, String reason) {
    return new TraceException(file, line, reason);
  }

  /** The bad rows so far. */
  public long skipped() {
    return skipped;
  }
}
