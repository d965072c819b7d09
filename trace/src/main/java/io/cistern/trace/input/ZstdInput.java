package io.cistern.trace.input;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import io.cistern.trace.TraceFaults;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Reads zstd data and says when it is damaged or cut off. */
final class ZstdInput extends FilterInputStream {

  private ZstdInput(InputStream in) {
    super(in);
  }

  /** Whether data begins as zstd frames do, skippable ones too. */
  static boolean matches(byte[] head) {
    if (head.length < 4) {
      return false;
    }
    boolean skippable = (head[0] & 0xf0) == 0x50 && head[1] == 0x2a && head[2] == 0x4d;
    boolean frame = head[0] == 0x28 && head[1] == (byte) 0xb5 && head[2] == 0x2f;
    return (frame && head[3] == (byte) 0xfd) || (skippable && head[3] == 0x18);
  }

  /** Opens zstd data. */
  static ZstdInput open(InputStream compressed, TraceFaults faults) throws IOException {
    try {
      return new ZstdInput(new ZstdInputStreamNoFinalizer(compressed));
    } catch (LinkageError e) {
      throw faults.error(1, "zstd data can't be read on this system: " + e.getMessage());
    }
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    try {
      return super.read(bytes, offset, length);
    } catch (ZstdIOException e) {
      throw new DamagedInputException(
          "the zstd data is "
              + ("Truncated source".equals(e.getMessage())
                  ? "cut off"
                  : "damaged: " + e.getMessage()));
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  /** Not possible: a reader looks ahead by {@link PeekedInput} alone. */
  @Override
  public boolean markSupported() {
    return false;
  }
}
