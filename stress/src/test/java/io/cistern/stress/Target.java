package io.cistern.stress;

import io.cistern.manager.MemoryManager;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A manager that is used by all threads. */
final class Target {

  final MemoryManager manager;

  /** It is open until the threads have ended. */
  final boolean lasts;

  /** A stream, which may serve nothing any more; what is live of it stays. */
  final boolean mayEnd;

  /** Requests hold it for reading; who holds it for writing is the only one who asks. */
  final ReentrantReadWriteLock requests = new ReentrantReadWriteLock();

  private volatile boolean closing;

  Target(MemoryManager manager, boolean lasts, boolean mayEnd) {
    this.manager = manager;
    this.lasts = lasts;
    this.mayEnd = mayEnd;
  }

  boolean isClosing() {
    return closing;
  }

  void close() {
    closing = true;
    manager.close();
  }

  /** A refusal is right if the manager was closed before it; else it is the failure. */
  void requireClosed(IllegalStateException refusal) {
    if (!closing) {
      throw new AssertionError("refused by an open manager", refusal);
    }
  }

  /** As above, also if a stream was ended. */
  void requireEnded(IllegalStateException refusal) {
    if (!mayEnd) {
      requireClosed(refusal);
    }
  }
}
