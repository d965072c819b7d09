package io.cistern.pool;

import io.cistern.MemorySize;
import io.cistern.MemoryUsage;
import io.cistern.page.Invariant;
import org.jspecify.annotations.Nullable;

/**
 * Totals and their peaks, of a pool, a manager or a device; each change goes on to the counter
 * above, so that every peak is the largest sum at one moment.
 *
 * <p>Room below the peaks can be lent: what is lent counts as used, so whoever has it may allocate
 * that much and free it again without counting it here, and no peak passes by.
 *
 * <p>Not safe for many threads: all counters that share a parent share a lock.
 */
public final class UsageCounter {

  private final @Nullable UsageCounter parent;

  // inUse + padding + pending <= reserved; pinned <= inUse; no value is negative; each peak >= its
  // value.
  private long allocations;
  private long inUse;
  private long padding;
  private long reserved;
  private long pending;
  private long pinned;
  private long allocationsPeak;
  private long inUsePeak;
  private long paddingPeak;
  private long reservedPeak;

  /**
   * Makes a counter at zero.
   *
   * @param parent the counter above, if there is one
   */
  public UsageCounter(@Nullable UsageCounter parent) {
    this.parent = parent;
  }

  void allocated(long byteSize, long paddingByteSize) {
    for (UsageCounter c = this; c != null; c = c.parent) {
      c.allocations++;
      c.inUse += byteSize;
      c.padding += paddingByteSize;
      c.allocationsPeak = Math.max(c.allocationsPeak, c.allocations);
      c.inUsePeak = Math.max(c.inUsePeak, c.inUse);
      c.paddingPeak = Math.max(c.paddingPeak, c.padding);
    }
  }

  /** Whether an allocation would raise a peak of this counter or of one above. */
  boolean raisesPeak(long byteSize, long paddingByteSize) {
    for (UsageCounter c = this; c != null; c = c.parent) {
      if (c.allocations >= c.allocationsPeak
          || c.inUse + byteSize > c.inUsePeak
          || c.padding + paddingByteSize > c.paddingPeak) {
        return true;
      }
    }
    return false;
  }

  /**
   * Lends half of what could be allocated before a peak rises: it counts as allocated, here and
   * above, until it is recalled.
   */
  void lend(Loan loan) {
    long count = Long.MAX_VALUE;
    long bytes = Long.MAX_VALUE;
    long paddingBytes = Long.MAX_VALUE;
    for (UsageCounter c = this; c != null; c = c.parent) {
      count = Math.min(count, c.allocationsPeak - c.allocations);
      bytes = Math.min(bytes, c.inUsePeak - c.inUse);
      paddingBytes = Math.min(paddingBytes, c.paddingPeak - c.padding);
    }
    // Half, so that the next stripe finds some; a single one is better lent than kept.
    loan.allocations = count - count / 2;
    loan.inUse = bytes - bytes / 2;
    loan.padding = paddingBytes - paddingBytes / 2;
    add(loan.allocations, loan.inUse, loan.padding);
  }

  /** Takes back what is left of a loan. */
  void recall(Loan loan) {
    add(-loan.allocations, -loan.inUse, -loan.padding);
    loan.allocations = 0;
    loan.inUse = 0;
    loan.padding = 0;
  }

  private void add(long count, long byteSize, long paddingByteSize) {
    for (UsageCounter c = this; c != null; c = c.parent) {
      c.allocations += count;
      c.inUse += byteSize;
      c.padding += paddingByteSize;
    }
  }

  void released(long byteSize, long paddingByteSize) {
    add(-1, -byteSize, -paddingByteSize);
  }

  /** Bytes of closed slices that fences keep, or no longer keep if negative. */
  void pending(long byteSize) {
    for (UsageCounter c = this; c != null; c = c.parent) {
      c.pending += byteSize;
    }
  }

  /** Bytes in use that captures alone hold, or no longer hold if negative. */
  void pinned(long byteSize) {
    for (UsageCounter c = this; c != null; c = c.parent) {
      c.pinned += byteSize;
    }
  }

  /** Whether this much more can be reserved before the sum of all is above 2^63-1. */
  boolean canReserve(long byteSize) {
    UsageCounter top = this;
    while (top.parent != null) {
      top = top.parent;
    }
    return byteSize <= Long.MAX_VALUE - top.reserved;
  }

  void reserved(long byteSize) {
    for (UsageCounter c = this; c != null; c = c.parent) {
      c.reserved += byteSize;
      c.reservedPeak = Math.max(c.reservedPeak, c.reserved);
    }
  }

  void unreserved(long byteSize) {
    for (UsageCounter c = this; c != null; c = c.parent) {
      c.reserved -= byteSize;
    }
  }

  /** Takes what is live or pending here out of this counter and the ones above. */
  void forgetLive() {
    long goneAllocations = allocations;
    long goneInUse = inUse;
    long gonePadding = padding;
    long gonePending = pending;
    long gonePinned = pinned;
    for (UsageCounter c = this; c != null; c = c.parent) {
      c.allocations -= goneAllocations;
      c.inUse -= goneInUse;
      c.padding -= gonePadding;
      c.pending -= gonePending;
      c.pinned -= gonePinned;
    }
  }

  /** Live slices. */
  public long allocations() {
    return allocations;
  }

  /** Requested bytes of live slices. */
  public long inUse() {
    return inUse;
  }

  /** Bytes that rounding live slices up costs. */
  public long padding() {
    return padding;
  }

  /** Bytes of all pages and blocks. */
  public long reserved() {
    return reserved;
  }

  /** Aligned bytes of closed slices that fences keep out of reach. */
  public long pending() {
    return pending;
  }

  /** Requested bytes that captures alone hold. */
  public long pinned() {
    return pinned;
  }

  /** Starts the peaks of this counter afresh, from what is used now. */
  public void resetPeaks() {
    allocationsPeak = allocations;
    inUsePeak = inUse;
    paddingPeak = padding;
    reservedPeak = reserved;
  }

  /** Checks the equations of this counter. */
  public void checkInvariants() {
    Invariant.check(allocations >= 0 && inUse >= 0 && padding >= 0, "no total is negative");
    Invariant.check(pending >= 0 && pinned >= 0 && pinned <= inUse, "pinned", pinned, "in use");
    Invariant.check(
        inUse + padding + pending <= reserved, inUse + padding, "+", pending, "<=", reserved);
    Invariant.check(
        allocationsPeak >= allocations
            && inUsePeak >= inUse
            && paddingPeak >= padding
            && reservedPeak >= reserved,
        "no total is above its peak");
  }

  /** The values of this moment. */
  public MemoryUsage toUsage() {
    return new MemoryUsage(
        allocations,
        MemorySize.of(inUse),
        MemorySize.of(padding),
        MemorySize.of(reserved),
        MemorySize.of(pending),
        MemorySize.of(pinned),
        allocationsPeak,
        MemorySize.of(inUsePeak),
        MemorySize.of(paddingPeak),
        MemorySize.of(reservedPeak));
  }
}
