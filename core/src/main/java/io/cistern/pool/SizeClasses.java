package io.cistern.pool;

/**
 * The size classes of magazines: one to each size below 33 granules, then 16 to each doubling.
 *
 * <p>All slices of a class have its largest size, so that any of them serves any request of the
 * class; what a request does not need is less than a sixteenth.
 */
final class SizeClasses {

  private static final int SUB_BITS = 4;

  private SizeClasses() {}

  /** The class of a size of at least one granule. */
  static int of(long granules) {
    long below = granules - 1;
    int shift = Math.max(0, 63 - SUB_BITS - Long.numberOfLeadingZeros(below));
    return (shift << SUB_BITS) + (int) (below >>> shift) + 1;
  }

  /** The size that the slices of a class have, in granules. */
  static long granules(int sizeClass) {
    int shift = Math.max(0, ((sizeClass - 1) >> SUB_BITS) - 1);
    return (sizeClass - ((long) shift << SUB_BITS)) << shift;
  }
}
