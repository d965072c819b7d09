package io.cistern.trace.file;

import io.cistern.trace.ReadOptions;
import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceFormat;
import io.cistern.trace.TraceReader;
import io.cistern.trace.format.FormatDetector;
import io.cistern.trace.format.Formats;
import io.cistern.trace.format.TraceInput;
import io.cistern.trace.format.VmaDumpReader;
import io.cistern.trace.input.PeekedInput;
import io.cistern.trace.report.TraceInfo;
import io.cistern.trace.report.VmaDump;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Opens traces. What a file is shows in its content; its name does not matter. */
public final class Traces {

  private Traces() {}

  /**
   * Opens a trace of any {@linkplain TraceFormat format}, plain or compressed with gzip or zstd.
   *
   * @param file the file
   * @param faults what becomes of bad rows
   * @throws TraceException if it is no trace
   * @throws IOException if the file can't be read
   */
  public static TraceReader open(Path file, TraceFaults faults) throws IOException {
    return open(file, ReadOptions.DEFAULT, faults);
  }

  /**
   * Opens a trace as asked for.
   *
   * @param file the file
   * @param options its format, and which device's memory
   * @param faults what becomes of bad rows
   * @throws TraceException if it is no trace of the format, or has no such device
   * @throws IOException if the file can't be read
   */
  public static TraceReader open(Path file, ReadOptions options, TraceFaults faults)
      throws IOException {
    return open(Files.newInputStream(file), options, faults);
  }

  /**
   * Opens a trace as asked for.
   *
   * @param file the bytes of a file, read once; closed with the reader, or if none is opened
   * @param options its format, and which device's memory
   * @param faults what becomes of bad rows
   * @throws TraceException if it is no trace of the format, or has no such device
   * @throws IOException if the bytes can't be read
   */
  public static TraceReader open(InputStream file, ReadOptions options, TraceFaults faults)
      throws IOException {
    try {
      PeekedInput in = PeekedInput.unpacked(file, faults);
      String known = options.format().isPresent() ? null : FormatDetector.known(in.head());
      if (known != null) {
        throw faults.error(1, known);
      }
      TraceFormat format = options.format().orElseGet(() -> FormatDetector.of(in.head()));
      return Formats.open(format, new TraceInput(in, options.device(), options.origins(), faults));
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /**
   * The format of a trace.
   *
   * @param file the file
   * @return what its content shows; the common CSV where it looks like nothing else
   * @throws IOException if the file can't be read
   */
  public static TraceFormat format(Path file) throws IOException {
    TraceFaults faults = TraceFaults.strict(file.toString());
    try (InputStream in = Files.newInputStream(file)) {
      return FormatDetector.of(PeekedInput.unpacked(in, faults).head());
    }
  }

  /**
   * Reads a trace to its end and tells what it holds.
   *
   * @param file the file
   * @param options how to read it
   * @param lenient whether bad rows are counted and skipped; otherwise the first is an error
   * @throws TraceException if it is no trace, or has a bad row and is not read leniently
   * @throws IOException if the file can't be read
   */
  public static TraceInfo info(Path file, ReadOptions options, boolean lenient) throws IOException {
    return info(file.toString(), Files.newInputStream(file), options, lenient);
  }

  /**
   * Reads a trace to its end and tells what it holds.
   *
   * @param name what errors call the trace
   * @param file the bytes of a file, read once and closed
   * @param options how to read it
   * @param lenient whether bad rows are counted and skipped; otherwise the first is an error
   * @throws TraceException if it is no trace, or has a bad row and is not read leniently
   * @throws IOException if the bytes can't be read
   */
  public static TraceInfo info(String name, InputStream file, ReadOptions options, boolean lenient)
      throws IOException {
    TraceFaults faults = TraceFaults.of(name, lenient);
    try (TraceReader reader = open(file, options, faults)) {
      return new TraceSurvey(reader, faults).run(name);
    }
  }

  /**
   * Reads a JSON dump of the Vulkan Memory Allocator.
   *
   * @param file the file
   * @param faults the name that errors give the file
   * @throws TraceException if it is none
   * @throws IOException if the file can't be read
   */
  public static VmaDump vmaDump(Path file, TraceFaults faults) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return VmaDumpReader.read(
          new TraceInput(PeekedInput.unpacked(in, faults), Optional.empty(), false, faults));
    }
  }
}
