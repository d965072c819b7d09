package io.cistern.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets Ctrl-C end work cleanly: the work is told to stop, and the JVM stays until it has.
 *
 * <p>The exit code is then the JVM's, 128 and the signal's number.
 */
final class Interruption implements AutoCloseable {

  /** The longest that the JVM stays. */
  private static final long PATIENCE_SECONDS = 10;

  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook;

  private Interruption(Runnable stop) {
    this.hook =
        new Thread(
            () -> {
              stop.run();
              awaitDone();
            },
            "interruption");
  }

  /** Watches until it is closed. */
  static Interruption of(Runnable stop) {
    Interruption interruption = new Interruption(stop);
    Runtime.getRuntime().addShutdownHook(interruption.hook);
    return interruption;
  }

  private void awaitDone() {
    try {
      boolean inTime = done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (!inTime) {
        // The JVM ends whether or not the work has.
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The work is done. */
  @Override
  public void close() {
    done.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending; the hook has run or runs to its end now.
      return;
    }
  }
}
