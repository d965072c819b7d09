package io.cistern.trace.search;

/** Sizes of pages that are worth telling apart. */
final class PageSizes {

  /** Steps are at most one part in so many, and whole powers of two. */
  private static final long PRECISION = 1024;

  private static final long LEAST_STEP = 256;

  /** Sums of some hundred pages stay in range. */
  static final long MOST = 1L << 50;

  private PageSizes() {}

  /** A size not below, in steps that grow with it. */
  static long round(long byteSize, long byteAlignment) {
    long size = Math.clamp(byteSize, 1, MOST);
    long step = Math.max(byteAlignment, Math.max(LEAST_STEP, Long.highestOneBit(size / PRECISION)));
    return (size + step - 1) & -step;
  }
}
