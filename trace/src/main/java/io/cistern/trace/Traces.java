package io.cistern.trace;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens traces. What a file is shows in its content; its name does not matter. */
public final class Traces {

  private static final int BUFFER_BYTE_SIZE = 1 << 16;

  private Traces() {}

  /**
   * Opens a trace: the common CSV, plain or compressed with gzip.
   *
   * @param file the file
   * @param faults what becomes of bad rows
   * @throws TraceException if it is no trace
   * @throws IOException if the file can't be read
   */
  public static TraceReader open(Path file, TraceFaults faults) throws IOException {
    return open(Files.newInputStream(file), faults);
  }

  static TraceReader open(InputStream file, TraceFaults faults) throws IOException {
    InputStream in = new BufferedInputStream(file, BUFFER_BYTE_SIZE);
    try {
      return new CsvTraceReader(isGzip(in) ? GzipInput.open(in, faults) : in, faults);
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  private static boolean isGzip(InputStream in) throws IOException {
    in.mark(2);
    boolean gzip = in.read() == GzipInput.MAGIC_1 && in.read() == GzipInput.MAGIC_2;
    in.reset();
    return gzip;
  }
}
