package io.cistern.pool;

/** How many dry runs of a manager are open: in one, pages are made without the driver. */
public final class DryRuns {

  private int open;

  /** Whether one is open. */
  public boolean isOn() {
    return open > 0;
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
