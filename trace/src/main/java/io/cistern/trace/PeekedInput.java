package io.cistern.trace;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A stream whose first bytes may be looked at before they are read. */
final class PeekedInput extends InputStream {

  private final InputStream in;
  private final byte[] head;
  private int next;

  // Met while looking; the reader meets it behind the head.
  private @Nullable DamagedInputException damage;

  /** Looks at up to {@code most} bytes. */
  PeekedInput(InputStream in, int most) throws IOException {
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

  /** The first bytes; fewer than were asked for if there are no more. */
  byte[] head() {
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
