package io.cistern.jfr;

import io.cistern.manager.MemoryManager;
import java.lang.ref.WeakReference;

/**
 * A manager whose usage is recorded each period, made by {@link MemoryFlightRecorder#watch}.
 *
 * <p>It does not keep the manager alive. Safe for many threads.
 */
public final class UsageWatch implements AutoCloseable {

  private final String name;
  private final WeakReference<MemoryManager> manager;

  UsageWatch(String name, MemoryManager manager) {
    this.name = name;
    this.manager = new WeakReference<>(manager);
  }

  /** Whether the manager is garbage, so that there is nothing to record any more. */
  boolean isOver() {
    return manager.refersTo(null);
  }

  void record() {
    MemoryManager watched = manager.get();
    if (watched != null) {
      new MemoryUsageEvent(name, watched.usage()).commit();
    }
  }

  /**
   * Ends the watch; an event that is being made at this moment may still come. A second close does
   * nothing.
   */
  @Override
  public void close() {
    UsageWatches.remove(this);
  }
}
