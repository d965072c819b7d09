package io.cistern.pool;

/**
 * An object whose fields share no cache line with those of the object before it in memory.
 *
 * <p>What two threads write often must lie apart, or each write takes the line from the other's
 * cache: measured, it makes an operation four times slower. The fields of a superclass come first,
 * so these are a gap of two lines, because processors fetch lines in pairs.
 */
abstract class Padded {

  // Fills the hole behind the header, in which a field of the subclass would lie otherwise.
  @SuppressWarnings("unused")
  private int hole;

  @SuppressWarnings("unused")
  private long gap0, gap1, gap2, gap3, gap4, gap5, gap6, gap7;
  @SuppressWarnings("unused")
  private long gap8, gap9, gapA, gapB, gapC, gapD, gapE, gapF;
}
