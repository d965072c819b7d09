package io.cistern.manager;

import io.cistern.storage.Fence;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The waiting for fences of one request: bounded, without a lock, ended by an interrupt. */
final class FenceWait {

  private final Duration atMost;
  private Duration waited = Duration.ZERO;
  private boolean over;

  FenceWait(Duration atMost) {
    this.atMost = atMost;
    this.over = atMost.isZero();
  }

  /**
   * Waits for a fence, unless the time is over.
   *
   * @param next gives the fence; null if there is none to wait for
   * @return whether the fence has passed, so that a search is worth its while
   */
  boolean forOne(Supplier<@Nullable Fence> next) {
    Fence fence = over ? null : next.get();
    if (fence == null) {
      return false;
    }
    long start = System.nanoTime();
    boolean passed = false;
    try {
      passed = fence.await(atMost.minus(waited));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    waited = waited.plusNanos(System.nanoTime() - start);
    over = !passed || waited.compareTo(atMost) >= 0;
    return passed;
  }

  /** How long it waited so far. */
  Duration waited() {
    return waited;
  }
}
