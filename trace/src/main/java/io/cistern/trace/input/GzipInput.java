package io.cistern.trace.input;

import io.cistern.trace.TraceFaults;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads gzip data and says when it is damaged or cut off, wherever that is.
 *
 * <p>The class below it takes a cut within the header of a further member for the end. So this one
 * counts: at the end, nothing may be left over behind the last member's trailer.
 */
final class GzipInput extends GZIPInputStream {

  private static final int TRAILER_BYTE_SIZE = 8;
  private static final int BUFFER_BYTE_SIZE = 1 << 16;

  private final CountingInput counting;
  private long countAtFill;

  private GzipInput(CountingInput counting) throws IOException {
    super(counting, BUFFER_BYTE_SIZE);
    this.counting = counting;
  }

  /** Whether data begins as gzip members do. */
  static boolean matches(byte[] head) {
    return head.length >= 2 && head[0] == 0x1f && head[1] == (byte) 0x8b;
  }

  /**
   * Opens gzip data.
   *
   * @param compressed the data
   */
  static GzipInput open(InputStream compressed, TraceFaults faults) throws IOException {
    try {
      return new GzipInput(new CountingInput(compressed));
    } catch (EOFException | ZipException e) {
      throw faults.error(1, why(e));
    }
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int count;
    try {
      count = super.read(bytes, offset, length);
    } catch (EOFException | ZipException e) {
      throw new DamagedInputException(why(e));
    }
    if (count < 0 && (leftOver() > 0 || counting.read() >= 0)) {
      throw new DamagedInputException(
          "the gzip data ends in the header of a further member, or in other bytes");
    }
    return count;
  }

  @Override
  protected void fill() throws IOException {
    super.fill();
    countAtFill = counting.byteCount();
  }

  /** The bytes that were read and belong to no member; valid at the end. */
  private long leftOver() {
    return inf.getRemaining() + (counting.byteCount() - countAtFill) - TRAILER_BYTE_SIZE;
  }

  private static String why(IOException e) {
    return e instanceof EOFException
        ? "the gzip data is cut off"
        : "the gzip data is damaged: " + e.getMessage();
  }
}
