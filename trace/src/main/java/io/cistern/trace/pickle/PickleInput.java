package io.cistern.trace.pickle;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** The bytes of a pickle, counted, and its numbers, which are little-endian. */
final class PickleInput {

  private static final int BUFFER_BYTE_SIZE = 1 << 16;
  private static final int MOST_LINE_BYTES = 1 << 12;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER_BYTE_SIZE];
  private int next;
  private int limit;
  private long before;

  PickleInput(InputStream in) {
    this.in = in;
  }

  /** The bytes that were taken. */
  long byteOffset() {
    return before + next;
  }

  /** The next byte; -1 at the end. */
  int read() throws IOException {
    if (next == limit && !fill()) {
      return -1;
    }
    return buffer[next++] & 0xff;
  }

  private boolean fill() throws IOException {
    before += limit;
    next = 0;
    limit = 0;
    int count = in.read(buffer, 0, buffer.length);
    limit = Math.max(count, 0);
    return count > 0;
  }

  /** The next byte, which must be there. */
  int one(String what) throws IOException, PickleException {
    int value = read();
    if (value < 0) {
      throw cut(what);
    }
    return value;
  }

  private PickleException cut(String what) {
    return new PickleException(byteOffset(), "end of file, where " + what + " should be");
  }

  /** A number of up to 8 bytes; the highest byte has no sign. */
  long number(int byteCount, String what) throws IOException, PickleException {
    long value = 0;
    for (int i = 0; i < byteCount; i++) {
      value |= (long) one(what) << (8 * i);
    }
    return value;
  }

  /** Bytes; an array of that size is made only as far as they follow. */
  byte[] bytes(long count, String what) throws IOException, PickleException {
    ByteArrayOutputStream all = new ByteArrayOutputStream((int) Math.min(count, BUFFER_BYTE_SIZE));
    long left = count;
    while (left > 0) {
      if (next == limit && !fill()) {
        throw cut(what);
      }
      int part = (int) Math.min(left, limit - next);
      all.write(buffer, next, part);
      next += part;
      left -= part;
    }
    return all.toByteArray();
  }

  /** Bytes up to a line's end, which is left out. */
  byte[] line(String what) throws IOException, PickleException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int value;
    while ((value = one(what)) != '\n') {
      if (line.size() == MOST_LINE_BYTES) {
        throw new PickleException(byteOffset(), what + " is longer than " + MOST_LINE_BYTES);
      }
      line.write(value);
    }
    return line.toByteArray();
  }
}
