package io.cistern.safety;

import io.cistern.storage.Fence;
import java.time.Duration;
import java.util.ArrayDeque;

/**
 * Decides how long freed slices rest: until so many bytes were freed after them.
 *
 * <p>A slice waits for a fence, as one that device work still uses does. Slices that are freed one
 * after the other wait for the same one, which closes the next when an eighth of the bytes is full,
 * so that there are few fences to ask. A request that would be refused, a layout that is installed
 * and a close end the rest of all.
 *
 * <p>Guarded by the manager's lock, but for asking a fence.
 */
public final class Quarantine {

  private static final int PARTS = 8;

  private final long partByteSize;
  private final ArrayDeque<Rest> resting = new ArrayDeque<>();
  private Rest current = new Rest();
  private long inCurrent;

  /** A moment that comes when enough is freed, or when memory is short. */
  private static final class Rest implements Fence {

    private volatile boolean over;

    @Override
    public boolean hasPassed() {
      return over;
    }

    @Override
    public boolean await(Duration atMost) {
      over = true; // Whoever would wait needs the memory.
      return true;
    }
  }

  /**
   * Makes an empty quarantine.
   *
   * @param byteSize how many bytes rest at most, above 0
   */
  public Quarantine(long byteSize) {
    this.partByteSize = Math.max(1, byteSize / PARTS);
  }

  /** What a slice that is freed now has to wait for. */
  public Fence rest(long byteSize) {
    Fence fence = current;
    inCurrent += byteSize;
    if (inCurrent >= partByteSize) {
      resting.addLast(current);
      current = new Rest();
      inCurrent = 0;
      if (resting.size() >= PARTS) {
        resting.removeFirst().over = true;
      }
    }
    return fence;
  }

  /** Ends the rest of all slices. */
  public void endAll() {
    current.over = true;
    resting.forEach(rest -> rest.over = true);
    resting.clear();
    current = new Rest();
    inCurrent = 0;
  }
}
