package io.cistern.trace.input;

import io.cistern.trace.TraceFaults;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of a text without making objects of them: a line is a range of a buffer.
 *
 * <p>Lines end with LF or CR LF, the last also with the file. Memory is constant: a line longer
 * than a bound is bad.
 */
public final class LineReader implements Closeable {

  /** The longest line, in bytes. */
  public static final int MAX_LINE_BYTE_SIZE = 1 << 16;

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final InputStream in;
  private final TraceFaults faults;

  // The line is start <= next - line end; bytes from next to limit were read and are not looked at.
  private final byte[] bytes = new byte[2 * MAX_LINE_BYTE_SIZE + 2];
  private int start;
  private int end;
  private int next;
  private int limit;
  private boolean ended;
  private boolean plain;
  private long line;

  public LineReader(InputStream in, TraceFaults faults) {
    this.in = in;
    this.faults = faults;
  }

  /** The buffer; the line is from {@link #start} to below {@link #end}. */
  public byte[] bytes() {
    return bytes;
  }

  /** The line's first byte in the buffer. */
  public int start() {
    return start;
  }

  /** The byte behind the line's last. */
  public int end() {
    return end;
  }

  /** The number of the line, from 1. */
  public long line() {
    return line;
  }

  /** The line as text. */
  public String text() {
    return new String(bytes, start, end - start, StandardCharsets.UTF_8);
  }

  /** Goes to the next line that is no longer than the bound; false at the end. */
  public boolean next() throws IOException {
    while (true) {
      int newline = findNewline();
      if (newline - next > MAX_LINE_BYTE_SIZE) {
        skipLongLine(newline);
      } else if (newline == limit && next == limit) {
        return false;
      } else {
        take(newline);
        return true;
      }
    }
  }

  /** Where the line ends that begins at {@code next}: its LF, or {@code limit} if it has none. */
  private int findNewline() throws IOException {
    int i = next;
    plain = true;
    while (true) {
      for (; i < limit; i++) {
        byte b = bytes[i];
        // Also true for all bytes of characters beyond ASCII.
        if (b < ' ') {
          if (b == '\n') {
            return i;
          }
          plain &= b == '\r' || b == '\t';
        }
      }
      if (ended || limit - next > MAX_LINE_BYTE_SIZE + 1) {
        return limit;
      }
      i -= fill();
    }
  }

  /** Makes room and reads on; returns by how much the bytes moved down. */
  private int fill() throws IOException {
    int moved = next;
    System.arraycopy(bytes, next, bytes, 0, limit - next);
    limit -= moved;
    next = 0;
    try {
      int count = in.read(bytes, limit, bytes.length - limit);
      ended = count < 0;
      limit += Math.max(count, 0);
    } catch (DamagedInputException e) {
      faults.add(line + 1, String.valueOf(e.getMessage()));
      // What is left of the last line may look whole and is not.
      ended = true;
      limit = 0;
    }
    return moved;
  }

  private void take(int newline) {
    line++;
    start = next;
    end = newline > start && bytes[newline - 1] == '\r' ? newline - 1 : newline;
    next = Math.min(newline + 1, limit);
  }

  private void skipLongLine(int newline) throws IOException {
    line++;
    faults.add(line, "the line is longer than " + MAX_LINE_BYTE_SIZE + " bytes");
    next = newline;
    while (next == limit && !ended) {
      next = findNewline();
    }
    next = Math.min(next + 1, limit);
  }

  /** Leaves out the mark that some programs put before UTF-8 text. */
  public void skipByteOrderMark() {
    if (end - start >= BYTE_ORDER_MARK.length
        && Arrays.equals(bytes, start, start + BYTE_ORDER_MARK.length, BYTE_ORDER_MARK, 0, 3)) {
      start += BYTE_ORDER_MARK.length;
    }
  }

  /** Why the line is no text; null if it is one. */
  public @Nullable String whyNoText() {
    if (plain) {
      return null;
    }
    for (int i = start; i < end; i++) {
      if (bytes[i] >= 0 && bytes[i] < ' ' && bytes[i] != '\t') {
        return "the line is no text: it has a byte of value " + bytes[i];
      }
    }
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, start, end - start));
      return null;
    } catch (CharacterCodingException e) {
      return "the line is no UTF-8 text";
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
