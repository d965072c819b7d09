package io.cistern.gpu;

import io.cistern.storage.Fence;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An event behind a stream's work. Once it has passed, its event serves another fence.
 *
 * <p>Safe for many threads.
 */
final class GpuFence implements Fence {

  private static final long FIRST_PAUSE_NANOS = 20_000;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000;

  private final Consumer<GpuHandle> givenBack;
  private @Nullable GpuHandle event; // guarded by this; null once passed

  GpuFence(GpuHandle event, Consumer<GpuHandle> givenBack) {
    this.event = event;
    this.givenBack = givenBack;
  }

  @Override
  public synchronized boolean hasPassed() {
    if (event != null && event.hasPassed()) {
      givenBack.accept(event);
      event = null;
    }
    return event == null;
  }

  /** The driver can wait for an event, but neither for a while only, nor to be interrupted. */
  @Override
  public boolean await(Duration atMost) throws InterruptedException {
    long begin = System.nanoTime();
    long pause = FIRST_PAUSE_NANOS;
    while (!hasPassed()) {
      long left = nanos(atMost) - (System.nanoTime() - begin);
      if (left <= 0) {
        return false;
      }
      Thread.sleep(Duration.ofNanos(Math.min(pause, left)));
      pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
    }
    return true;
  }

  private static long nanos(Duration duration) {
    try {
      return duration.toNanos();
    } catch (ArithmeticException e) {
      return duration.isNegative() ? 0 : Long.MAX_VALUE;
    }
  }
}
