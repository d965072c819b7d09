package io.cistern.trace.pickle;

/** A pickle is damaged, or holds more than plain data. */
public final class PickleException extends Exception {
  private static final long serialVersionUID = 1L;

  private final long byteOffset;

  PickleException(long byteOffset, String reason) {
    super(reason);
    this.byteOffset = byteOffset;
  }

  /** Where the opcode stands, in bytes from 0. */
  public long byteOffset() {
    return byteOffset;
  }
}
