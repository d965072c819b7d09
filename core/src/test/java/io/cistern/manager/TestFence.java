package io.cistern.manager;

import io.cistern.storage.Fence;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A fence that passes when the test says so, or when somebody waits for it. */
final class TestFence implements Fence {

  private final CountDownLatch passed = new CountDownLatch(1);
  private final boolean passesOnAwait;
  final AtomicInteger asked = new AtomicInteger();
  final AtomicInteger awaited = new AtomicInteger();

  private TestFence(boolean passesOnAwait) {
    this.passesOnAwait = passesOnAwait;
  }

  static TestFence open() {
    return new TestFence(false);
  }

  /** Device work that is done by the time that somebody has waited for it. */
  static TestFence passingOnAwait() {
    return new TestFence(true);
  }

  void pass() {
    passed.countDown();
  }

  @Override
  public boolean hasPassed() {
    asked.incrementAndGet();
    return passed.getCount() == 0;
  }

  @Override
  public boolean await(Duration atMost) throws InterruptedException {
    awaited.incrementAndGet();
    if (passesOnAwait) {
      pass();
    }
    return passed.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
  }
}
