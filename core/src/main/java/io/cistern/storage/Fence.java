package io.cistern.storage;

import java.time.Duration;

/**
 * A point in a device's work that is reached some time, such as the end of a kernel.
 *
 * <p>Once passed, a fence stays passed. Both methods are called from any thread. {@link #hasPassed}
 * is called while a manager is locked: it returns at once, throws nothing, and does not call a
 * manager.
 */
public interface Fence {

  /** Whether the device's work has come this far. */
  boolean hasPassed();

  /**
   * Waits until the device's work has come this far.
   *
   * @param atMost how long to wait
   * @return whether it has come this far
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  boolean await(Duration atMost) throws InterruptedException;
}
