package io.cistern.trace.file;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceReader;
import io.cistern.trace.table.LiveIds;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/**
 * Writes the common CSV: {@code op,id,size,stream,time_us}, and {@code reserved} where the trace
 * tells what the recorded allocator held. Not safe for many threads.
 */
public final class CsvTraceWriter implements Closeable {

  private final Writer out;
  private boolean headed;
  private boolean withReserved;

  private CsvTraceWriter(Writer out) {
    this.out = out;
  }

  /**
   * Opens a file to write, in place of one that is there.
   *
   * @param file the file; compressed with gzip where its name ends with {@code .gz}, with zstd
   *     where it ends with {@code .zst}
   * @throws IOException if it can't be written
   */
  public static CsvTraceWriter open(Path file) throws IOException {
    return new CsvTraceWriter(writer(Files.newOutputStream(file), file.toString()));
  }

  private static Writer writer(OutputStream file, String name) throws IOException {
    try {
      OutputStream out = file;
      if (name.endsWith(".gz")) {
        out = new GZIPOutputStream(file, 1 << 16);
      } else if (name.endsWith(".zst")) {
        out = new ZstdOutputStreamNoFinalizer(file);
      }
      return new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.US_ASCII), 1 << 16);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /**
   * Writes what is left of a trace. Rows with impossible ids are left out.
   *
   * @param reader the trace
   * @param faults what becomes of such rows
   * @return the rows that were written
   * @throws TraceException if the trace has a bad row and is not read leniently
   * @throws IOException if the trace can't be read, or the file not written
   */
  public long write(TraceReader reader, TraceFaults faults) throws IOException {
    LiveIds ids = new LiveIds();
    long rows = 0;
    while (reader.next()) {
      if (ids.slotOf(reader, faults) >= 0) {
        writeHeader(reader.recordedReserved() != TraceReader.UNKNOWN);
        writeRow(reader);
        rows++;
      }
    }
    writeHeader(false);
    return rows;
  }

  private void writeHeader(boolean reserved) throws IOException {
    if (!headed) {
      headed = true;
      withReserved = reserved;
      out.write("op,id,size,stream,time_us" + (reserved ? ",reserved\n" : "\n"));
    }
  }

  private void writeRow(TraceReader reader) throws IOException {
    out.write(reader.isAllocation() ? "alloc," : "free,");
    out.write(Long.toString(reader.id()));
    out.write(',');
    out.write(Long.toString(reader.byteSize()));
    out.write(',');
    out.write(Integer.toString(reader.stream()));
    out.write(',');
    out.write(Long.toString(reader.timeMicros()));
    if (withReserved) {
      long reserved = reader.recordedReserved();
      out.write(reserved == TraceReader.UNKNOWN ? "," : "," + reserved);
    }
    out.write('\n');
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
