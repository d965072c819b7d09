package io.cistern.manager;

import io.cistern.MemorySize;
import io.cistern.pool.PersistentPool;
import java.util.BitSet;
import java.util.List;

/**
 * Keeps the slices that a capture handed out, whoever has closed them: while it is open none of
 * them is used again, so that the captured work can be replayed on them.
 *
 * <p>Any thread may close it; closing it twice is harmless.
 */
public final class CapturePin implements AutoCloseable {

  private final MemoryManager manager;
  private final PersistentPool pool;
  private final BitSet slices;
  private final List<MemorySize> sizes;
  private boolean open; // guarded by the manager's lock

  CapturePin(MemoryManager manager, PersistentPool pool, BitSet slices) {
    this.manager = manager;
    this.pool = pool;
    this.slices = slices;
    this.sizes = slices.stream().mapToObj(s -> MemorySize.of(pool.slices().requested(s))).toList();
  }

  /** Takes hold of the slices. Under the manager's lock. */
  void hold() {
    open = true;
    slices.stream().forEach(pool::pin);
  }

  /** The sizes that the pinned slices were asked for with, one for each. */
  public List<MemorySize> sizes() {
    return sizes;
  }

  /** Lets go of the slices. O(slices). */
  @Override
  public void close() {
    manager.locked(
        () -> {
          if (open) {
            open = false;
            if (manager.isOpen()) {
              slices.stream().forEach(pool::dropHold);
              manager.holdsDropped();
            }
          }
        });
  }
}
