package io.cistern.trace;

import java.io.FilterInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that counts the bytes read from it, to tell how far a reader is. */
final class CountedFile extends FilterInputStream {

  private long byteCount;

  CountedFile(Path file) throws IOException {
    super(Files.newInputStream(file));
  }

  /** The bytes read so far. */
  long byteCount() {
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
}
