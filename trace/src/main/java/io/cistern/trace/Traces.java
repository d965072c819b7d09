package io.cistern.trace;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Opens traces. What a file is shows in its content; its name does not matter. */
public final class Traces {

  private static final int BUFFER_BYTE_SIZE = 1 << 16;

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

  static TraceReader open(InputStream file, TraceFaults faults) throws IOException {
    return open(file, ReadOptions.DEFAULT, faults);
  }

  static TraceReader open(InputStream file, ReadOptions options, TraceFaults faults)
      throws IOException {
    try {
      PeekedInput in = unpacked(file, faults);
      String known = options.format().isPresent() ? null : FormatDetector.known(in.head());
      if (known != null) {
        throw faults.error(1, known);
      }
      TraceFormat format = options.format().orElseGet(() -> FormatDetector.of(in.head()));
      ReadOptions settled = new ReadOptions(Optional.of(format), options.device());
      return format.open(new TraceInput(in, settled, faults));
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
    try (PeekedInput in = unpacked(file, TraceFaults.strict(file.toString()))) {
      return FormatDetector.of(in.head());
    }
  }

  static PeekedInput unpacked(Path file, TraceFaults faults) throws IOException {
    InputStream in = Files.newInputStream(file);
    try {
      return unpacked(in, faults);
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  private static PeekedInput unpacked(InputStream file, TraceFaults faults) throws IOException {
    InputStream in = new BufferedInputStream(file, BUFFER_BYTE_SIZE);
    in.mark(4);
    byte[] magic = in.readNBytes(4);
    in.reset();
    if (GzipInput.matches(magic)) {
      in = GzipInput.open(in, faults);
    } else if (ZstdInput.matches(magic)) {
      in = ZstdInput.open(in, faults);
    }
    return new PeekedInput(in, FormatDetector.HEAD_BYTE_SIZE);
  }
}
