package io.cistern.cli;

import io.cistern.trace.ReadOptions;
import io.cistern.trace.TraceFaults;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Which trace is meant, and how it is read. */
final class TraceFileOptions {

  @Parameters(paramLabel = "TRACE", description = "The trace, of any format; gzip or zstd as well.")
  private Path trace;

  @Mixin private ReadingOptions reading;

  @SuppressWarnings("NullAway.Init") // The parser sets the fields.
  TraceFileOptions() {}

  /** The trace. */
  Path trace() {
    return trace;
  }

  boolean isLenient() {
    return reading.isLenient();
  }

  /** How it is read. */
  ReadOptions reading() {
    return reading.reading();
  }

  /** What becomes of bad rows. */
  TraceFaults faults() {
    return TraceFaults.of(trace.toString(), isLenient());
  }

  /**
   * Looks at what shows from the name.
   *
   * @throws WrongUseException if it is none of a file
   */
  void check() {
    ReadingOptions.check(trace);
  }
}
