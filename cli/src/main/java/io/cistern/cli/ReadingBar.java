package io.cistern.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Opens files, and shows on a terminal how far reading them is. For one thread. */
final class ReadingBar implements AutoCloseable {

  private static final int MEGABYTE = 1_000_000;

  private final ProgressBar bar;
  private long byteCount;

  private ReadingBar(ProgressBar bar) {
    this.bar = bar;
  }

  /** A bar for files that are read once each; a pipe counts as empty. */
  static ReadingBar of(List<Path> files) throws IOException {
    long sum = 0;
    for (Path file : files) {
      sum += Files.size(file);
    }
    return new ReadingBar(ProgressBar.ofParts(sum, "MB"));
  }

  /** The bytes of one of the files. */
  InputStream open(Path file) throws IOException {
    return new FilterInputStream(Files.newInputStream(file)) {
      @Override
      public int read() throws IOException {
        int read = in.read();
        count(read < 0 ? 0 : 1);
        return read;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = in.read(bytes, offset, length);
        count(Math.max(0, read));
        return read;
      }

      @Override
      public long skip(long most) throws IOException {
        long skipped = in.skip(most);
        count(skipped);
        return skipped;
      }
    };
  }

  /** The bytes that were read of all files, skipped ones included. */
  long byteCount() {
    return byteCount;
  }

  private void count(long bytes) {
    byteCount += bytes;
    bar.at(0, byteCount, byteCount / MEGABYTE);
  }

  /** Takes the bar away, so that lines can be told. */
  void takeAway() {
    bar.close();
  }

  @Override
  public void close() {
    takeAway();
  }
}
