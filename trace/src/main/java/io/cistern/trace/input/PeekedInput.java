package io.cistern.trace.input;

import io.cistern.trace.TraceFaults;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The unpacked bytes of a file, whose first may be looked at before they are read. */
public final class PeekedInput extends InputStream {

  private static final int HEAD_BYTE_SIZE = 1 << 13;
  private static final int BUFFER_BYTE_SIZE = 1 << 16;

  private final InputStream in;
  private final byte[] head;
  private int next;

  // Met while looking; the reader meets it behind the head.
  private @Nullable DamagedInputException damage;

  /**
   * Unpacks a file, or not, as its magic number says, and looks at what is inside.
   *
   * @throws io.cistern.trace.TraceException if it is packed and can't be unpacked
   */
  public static PeekedInput unpacked(InputStream file, TraceFaults faults) throws IOException {
    InputStream in = new BufferedInputStream(file, BUFFER_BYTE_SIZE);
    in.mark(4);
    byte[] magic = in.readNBytes(4);
    in.reset();
    if (GzipInput.matches(magic)) {
      in = GzipInput.open(in, faults);
    } else if (ZstdInput.matches(magic)) {
      in = ZstdInput.open(in, faults);
    }
    return new PeekedInput(in, HEAD_BYTE_SIZE);
  }

  private PeekedInput(InputStream in, int most) throws IOException {
    this.in = in;
    byte[] bytes = new byte[most];
    int count = 0;
    try {
      int more = 0;
      while (count < most && (more = in.read(bytes, count, most - count)) >= 0) {
        count += more;
      }
    } catch (DamagedInputException e) {
      damage = e;
    }
    this.head = Arrays.copyOf(bytes, count);
  }

  /** The first bytes: 8 KiB, or fewer if there are no more. */
  public byte[] head() {
    return head.clone();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (next < head.length) {
      int count = Math.min(length, head.length - next);
      System.arraycopy(head, next, bytes, offset, count);
      next += count;
      return count;
    }
    if (damage != null) {
      throw damage;
    }
    return in.read(bytes, offset, length);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
