package io.cistern.stress.races;

import io.cistern.storage.Fence;
import java.time.Duration;

/** Device work that is done when it is said to be. Nobody waits for it here. */
final class NamedFence implements Fence {

  private volatile boolean passed;

  void pass() {
    passed = true;
  }

  @Override
  public boolean hasPassed() {
    return passed;
  }

  @Override
  public boolean await(Duration atMost) {
    return passed;
  }
}
