package io.cistern.benchmarks.suite;

import java.util.random.RandomGenerator;

/** Sizes that are spread evenly over their powers of two. */
public enum SizeRange {
  /** From 256 bytes to 64 KiB. */
  SMALL(256, 64 << 10),
  /** From 64 KiB to 64 MiB. */
  LARGE(64 << 10, 64 << 20);

  private final int least;
  private final double ratio;

  SizeRange(int least, int most) {
    this.least = least;
    this.ratio = Math.log((double) most / least);
  }

  int draw(RandomGenerator random) {
    return (int) (least * Math.exp(random.nextDouble() * ratio));
  }
}
