package io.cistern.manager;

import io.cistern.pool.PersistentPool;
import java.util.BitSet;

/**
 * A capture of device work under way, such as of a graph that will be replayed on the same memory.
 *
 * <p>Requests go to the persistent pool, and every slice handed out is recorded. A capture begins
 * with priming: what is handed out is held and not used again, so that the pool grows to all that
 * one pass needs. {@link #endPriming} frees what nobody has open, and the pass proper finds all of
 * its memory there. Until the end nothing is given back to the driver.
 *
 * <p>A capture holds for all threads of its manager, and any of them may end it. Recording a slice
 * is O(1); ending is O(slices recorded).
 */
public final class Capture implements AutoCloseable {

  private final MemoryManager manager;
  private final PersistentPool pool;

  // Guarded by the manager's lock. Slices of the pool; each of primed has a hold of this capture.
  private final BitSet touched = new BitSet();
  private final BitSet primed = new BitSet();
  private boolean priming = true;
  private boolean open = true;

  Capture(MemoryManager manager, PersistentPool pool) {
    this.manager = manager;
    this.pool = pool;
  }

  /** Records a slice that was handed out. Under the manager's lock. */
  void record(int slice) {
    touched.set(slice);
    if (priming) {
      primed.set(slice);
      pool.hold(slice);
    }
  }

  /** Ends the priming: what it held is free, as far as it is closed. A second time does nothing. */
  public void endPriming() {
    manager.locked(
        () -> {
          if (isUnderWay()) {
            letGo();
          }
        });
  }

  /** A capture ends with its manager, whose slices are gone. */
  private boolean isUnderWay() {
    return open && manager.isOpen();
  }

  private void letGo() {
    priming = false;
    primed.stream().forEach(pool::dropHold);
    primed.clear();
  }

  /**
   * Ends the capture. The manager's windows are in force again.
   *
   * @return a pin on the slices that were handed out; an empty one at a second time
   */
  public CapturePin end() {
    return manager.locked(
        () -> {
          if (!isUnderWay()) {
            return new CapturePin(manager, pool, new BitSet());
          }
          CapturePin pin = new CapturePin(manager, pool, touched);
          pin.hold();
          letGo();
          open = false;
          manager.captureEnded();
          return pin;
        });
  }

  /** Ends the capture, if it is still under way, and pins nothing. */
  @Override
  public void close() {
    end().close();
  }
}
