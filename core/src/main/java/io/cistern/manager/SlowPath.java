package io.cistern.manager;

import io.cistern.pool.PersistentPool;
import io.cistern.pool.Pool;
import io.cistern.pool.RoutingTable;

/**
 * The way of a request that nobody could serve at once.
 *
 * <p>It ends the rest of what is in quarantine. It waits for fences that keep memory which would
 * do, and searches afresh when something was freed. When there is nothing more to wait for, and it
 * was the driver that refused, it cleans up wherever the same device's memory lies idle and
 * searches once more. Then it fails. No lock is held while it waits or cleans up.
 */
final class SlowPath {

  private final MemoryManager manager;
  private final long byteSize;
  private final long byteAlignment;
  private final String tag;
  private final FenceWait wait;
  private boolean cleanedUp;

  SlowPath(MemoryManager manager, long byteSize, long byteAlignment, String tag) {
    this.manager = manager;
    this.byteSize = byteSize;
    this.byteAlignment = byteAlignment;
    this.tag = tag;
    this.wait = new FenceWait(manager.maxWait());
  }

  /** Serves the request after all; returns its {@link Place}. */
  long serve(PoolSet.Refusal first) {
    PoolSet.Refusal refusal = first;
    int lastSpilled = RoutingTable.NO_POOL;
    while (frees(refusal)) {
      lastSpilled = Math.max(lastSpilled, refusal.lastFull());
      try {
        return manager.serveAgain(byteSize, byteAlignment, tag, lastSpilled);
      } catch (PoolSet.Refusal again) {
        refusal = again;
      }
    }
    throw manager.refuse(refusal, byteSize, wait.waited());
  }

  /** Waits or cleans up; false if neither can help any more. */
  private boolean frees(PoolSet.Refusal refusal) {
    if (manager.endQuarantine()) {
      return true;
    }
    boolean anyPool = refusal.byDriver();
    if (manager.awaitFree(wait, pool -> anyPool || isOnRoute(pool))) {
      return true;
    }
    if (cleanedUp || !refusal.byDriver()) {
      return false;
    }
    cleanedUp = true;
    manager.cleanUpDevice();
    return true;
  }

  /** Whether a search for this request comes by a pool; the persistent pool is never full. */
  private boolean isOnRoute(Pool pool) {
    return pool.index() != PersistentPool.INDEX && pool.config().accepts(byteSize);
  }
}
