package io.cistern.layout;

/**
 * Rounding to a power of two.
 *
 * @param bytes the alignment in bytes, a power of two
 */
record Alignment(long bytes) {

  Alignment {
    if (bytes < 1 || Long.bitCount(bytes) != 1) {
      throw new LayoutException(new LayoutFault.BadAlignment(bytes));
    }
  }

  /** Whether {@link #up} stays within 2<sup>63</sup>-1. */
  boolean canRoundUp(long byteSize) {
    return byteSize <= down(Long.MAX_VALUE);
  }

  long up(long byteSize) {
    return (byteSize + bytes - 1) & -bytes;
  }

  long down(long byteSize) {
    return byteSize & -bytes;
  }
}
