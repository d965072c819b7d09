package io.cistern.cli;

import io.cistern.trace.ReadOptions;
import io.cistern.trace.TraceFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How traces are read. */
final class ReadingOptions {

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description =
          "The trace's format, whatever its content looks like: csv, pytorch-snapshot,"
              + " chrome-trace, memory-timeline, jfr, rmm-csv, static, malloc-lab, memory-replay,"
              + " vma-recording or vma-dump.")
  private @Nullable TraceFormat format;

  @Option(
      names = "--trace-device",
      paramLabel = "NAME",
      description =
          "The device whose memory is read, where a trace has several, as \"cistern trace info\""
              + " lists them (default: the one with the most events).")
  private @Nullable String device;

  @Option(names = "--lenient", description = "Skip and count bad rows instead of ending at one.")
  private boolean lenient;

  @SuppressWarnings("NullAway.Init") // The parser sets the fields.
  ReadingOptions() {}

  boolean isLenient() {
    return lenient;
  }

  ReadOptions reading() {
    return new ReadOptions(Optional.ofNullable(format), Optional.ofNullable(device), false);
  }

  /**
   * Looks at what shows from a trace's name.
   *
   * @throws WrongUseException if it is none of a file
   */
  static void check(Path trace) {
    if (trace.toString().isEmpty()) {
      throw new WrongUseException("TRACE is an empty text, not the name of a file");
    }
    if (Files.isDirectory(trace)) {
      throw new WrongUseException(trace + " is a folder, not a trace");
    }
  }
}
