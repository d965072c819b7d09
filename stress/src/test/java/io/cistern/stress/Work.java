package io.cistern.stress;

import io.cistern.storage.Fence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Device work on some slices: it finds their bytes unchanged until it ends, whoever has closed
 * them.
 */
final class Work implements Fence {

  private final CountDownLatch done = new CountDownLatch(1);
  private final List<Written> used = new ArrayList<>(); // guarded by this

  /** Uses a slice; false if the work has ended, and another is needed. */
  synchronized boolean use(Holding holding) {
    if (hasPassed()) {
      return false;
    }
    holding.allocation().usedUntil(this);
    if (holding.written() != null) {
      used.add(holding.written());
    }
    return true;
  }

  synchronized void end() {
    used.forEach(Written::verify);
    done.countDown();
  }

  @Override
  public boolean hasPassed() {
    return done.getCount() == 0;
  }

  @Override
  public boolean await(Duration atMost) throws InterruptedException {
    return done.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
  }
}
