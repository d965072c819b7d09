package io.cistern.manager;

import io.cistern.config.PersistentMemory;
import io.cistern.pool.DryRuns;
import org.jspecify.annotations.Nullable;

/**
 * What is open on a manager: persistent windows, a capture, dry runs. All hold for all threads.
 *
 * <p>Not safe for many threads: the manager's lock stands around it.
 */
final class Windows {

  private final PersistentMemory setting;
  private final DryRuns dryRuns = new DryRuns();
  private int persistentWindows;
  private @Nullable Capture capture;

  // Whether every request is persistent; worked out at each change, because each request asks.
  private boolean persistent;

  Windows(PersistentMemory setting) {
    this.setting = setting;
    changed();
  }

  private void changed() {
    persistent =
        capture != null
            || setting == PersistentMemory.ENFORCED
            || (persistentWindows > 0 && setting != PersistentMemory.DISABLED);
  }

  /** Whether every request is served by the persistent pool. */
  boolean persistent() {
    return persistent;
  }

  /** Whether requests go to the layout's pools, and to pages that are mapped. */
  boolean areNone() {
    return !persistent && dryRuns.leftNothing();
  }

  /** Whether a request is where the persistent pool has its size already. */
  boolean sizeMatch() {
    return setting == PersistentMemory.SIZE_MATCH;
  }

  void addPersistent(int windows) {
    persistentWindows += windows;
    changed();
  }

  DryRuns dryRuns() {
    return dryRuns;
  }

  @Nullable Capture capture() {
    return capture;
  }

  boolean capturing() {
    return capture != null;
  }

  /** Begins a capture, or ends it with null; windows that changed meanwhile take effect then. */
  void capture(@Nullable Capture under) {
    capture = under;
    changed();
  }
}
