package io.cistern;

/** A layout can't be installed while allocations of the present one are live. */
public final class PoolsInUseException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final long allocations;
  private final long inUse;
  private final long pending;

  /**
   * Says what is in use.
   *
   * @param allocations live allocations in the layout's pools, zero-sized ones included
   * @param inUse their requested bytes
   * @param pending bytes of closed allocations that device work still keeps out of reach
   */
  public PoolsInUseException(long allocations, long inUse, long pending) {
    super(
        "pools in use: a layout can't be installed while "
            + allocations
            + " allocations of "
            + inUse
            + " bytes are live and "
            + pending
            + " bytes are pending");
    this.pending = pending;
    this.allocations = allocations;
    this.inUse = inUse;
  }

  /** Live allocations in the layout's pools, zero-sized ones included. */
  public long allocations() {
    return allocations;
  }

  /** Their requested bytes. */
  public long inUse() {
    return inUse;
  }

  /** Bytes of closed allocations that device work still keeps out of reach. */
  public long pending() {
    return pending;
  }
}
