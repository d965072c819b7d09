package io.cistern.pool;

/** The dry runs of a manager that are open, in which pages are made without the driver. */
public final class DryRuns {

  private int open;

  // The pages and blocks of all pools that the driver knows nothing of.
  private int unmapped;

  /** Whether one is open. */
  public boolean isOn() {
    return open > 0;
  }

  /** Whether none is open, and none has left a page unmapped. */
  public boolean leftNothing() {
    return open == 0 && unmapped == 0;
  }

  /** Counts blocks that are unmapped from now on, or no longer if negative. */
  void unmapped(int blocks) {
    unmapped += blocks;
  }

  /** Opens one more. */
  public void begin() {
    open++;
  }

  /** Closes one. */
  public void end() {
    open--;
  }
}
