package io.cistern.pool;

/**
 * What a stripe may allocate of a pool without asking: counted as allocated already, and so little
 * that no peak could have passed by, whoever allocates what meanwhile.
 *
 * <p>What the stripe frees is added, to be allocated again. Guarded by its stripe.
 */
final class Loan extends Padded {

  private final Pool pool;

  // What is left of each; see UsageCounter. None is negative.
  long allocations;
  long inUse;
  long padding;

  // What was done since the stripe was last stopped.
  long served;
  long largestAlloc;

  Loan(Pool pool) {
    this.pool = pool;
  }

  Pool pool() {
    return pool;
  }

  /** Uses up what an allocation needs; false if that is not left. */
  boolean spend(long byteSize, long paddingByteSize) {
    if (allocations == 0 || inUse < byteSize || padding < paddingByteSize) {
      return false;
    }
    allocations--;
    inUse -= byteSize;
    padding -= paddingByteSize;
    served++;
    if (byteSize > largestAlloc) {
      largestAlloc = byteSize; // Seldom: a store costs more than the look.
    }
    return true;
  }

  /** Adds what was freed. */
  void repay(long byteSize, long paddingByteSize) {
    allocations++;
    inUse += byteSize;
    padding += paddingByteSize;
  }
}
