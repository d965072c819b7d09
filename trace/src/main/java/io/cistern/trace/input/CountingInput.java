package io.cistern.trace.input;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts the bytes that are read. */
public final class CountingInput extends FilterInputStream {

  private long byteCount;

  public CountingInput(InputStream in) {
    super(in);
  }

  /** The bytes read so far. */
  public long byteCount() {
    return byteCount;
  }

  @Override
  public int read() throws IOException {
    int value = super.read();
    byteCount += value < 0 ? 0 : 1;
    return value;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int count = super.read(bytes, offset, length);
    byteCount += Math.max(count, 0);
    return count;
  }

  /** Not possible: what was read twice would count twice. */
  @Override
  public boolean markSupported() {
    return false;
  }
}
