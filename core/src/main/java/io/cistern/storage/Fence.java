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
   * @implSpec Asks {@link #hasPassed} at distances that grow from 10 µs to 1 ms, for drivers that
   *     can't wait for a while only, or not be interrupted.
   * @param atMost how long to wait
   * @return whether it has come this far
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  default boolean await(Duration atMost) throws InterruptedException {
    long begin = System.nanoTime();
    // Half of the longest time that a number can hold, so that nothing wraps: 146 years.
    Duration longest = Duration.ofNanos(Long.MAX_VALUE / 2);
    long nanos = (atMost.compareTo(longest) < 0 ? atMost : longest).toNanos();
    long pause = 10_000;
    while (!hasPassed()) {
      long left = nanos - (System.nanoTime() - begin);
      if (left <= 0) {
        return false;
      }
      Thread.sleep(Duration.ofNanos(Math.min(pause, left)));
      pause = Math.min(2 * pause, 1_000_000);
    }
    return true;
  }
}
