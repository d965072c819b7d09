package io.cistern.manager;

import io.cistern.storage.Fence;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The waiting for fences of one request: bounded, without a lock, ended by an interrupt.
 *
 * <p>It goes in turns that grow, so that one fence that does not come keeps a request from seeing
 * others pass for a short time only.
 */
final class FenceWait {

  private static final Duration FIRST_TURN = Duration.ofMillis(1);
  private static final Duration LONGEST_TURN = Duration.ofMillis(100);

  private final Duration atMost;
  private Duration waited = Duration.ZERO;
  private Duration turn = FIRST_TURN;
  private boolean over;

  FenceWait(Duration atMost) {
    this.atMost = atMost;
    this.over = atMost.isZero();
  }

  /**
   * Waits for a fence for a turn, unless the time is over.
   *
   * @param next gives the fence; null if there is none to wait for
   * @return whether it waited, so that it is worth asking which fences have passed
   */
  boolean forOne(Supplier<@Nullable Fence> next) {
    Fence fence = over ? null : next.get();
    if (fence == null) {
      return false;
    }
    long start = System.nanoTime();
    try {
      fence.await(shorter(turn, atMost.minus(waited)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      over = true;
    }
    waited = waited.plusNanos(System.nanoTime() - start);
    over |= waited.compareTo(atMost) >= 0;
    turn = shorter(turn.multipliedBy(2), LONGEST_TURN);
    return true;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** How long it waited so far. */
  Duration waited() {
    return waited;
  }
}
