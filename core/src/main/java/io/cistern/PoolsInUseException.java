package io.cistern;

/** A layout can't be installed while allocations of the present one are live. */
public final class PoolsInUseException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final long allocations;
  private final long inUse;

  /**
   * Says what is in use.
   *
   * @param allocations live allocations in the layout's pools, zero-sized ones included
   * @param inUse their requested bytes
   */
  public PoolsInUseException(long allocations, long inUse) {
    super(
        "pools in use: a layout can't be installed while "
            + allocations
            + " allocations of "
            + inUse
            + " bytes are live");
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
}
