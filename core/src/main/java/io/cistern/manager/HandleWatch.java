package io.cistern.manager;

import io.cistern.LeakSite;
import io.cistern.storage.StorageBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a handle that is watched; does not keep the handle reachable. Safe for many
 * threads.
 */
final class HandleWatch implements Runnable {

  private final HandleWatches watches;
  private final long byteSize;
  private final List<String> calls;

  // Guarded by this.
  private @Nullable Arena lease;
  private boolean ended;

  // Set before the handle is handed out.
  private Cleaner.@Nullable Cleanable cleanable;
  private volatile boolean lost;

  HandleWatch(HandleWatches watches, long byteSize, List<String> calls) {
    this.watches = watches;
    this.byteSize = byteSize;
    this.calls = calls;
  }

  void tellWhenLost(Cleaner cleaner, Allocation handle) {
    cleanable = cleaner.register(handle, this);
  }

  /** The handle is unreachable, or {@link #end} has come. */
  @Override
  public void run() {
    synchronized (this) {
      if (ended) {
        return;
      }
    }
    lost = true;
    watches.lost(this);
  }

  /** The bytes of the handle's slice, until the handle is closed. */
  MemorySegment lend(Allocation handle, long byteOffset, long byteSize) {
    StorageBlock block = handle.block(); // Which may take the manager's lock, as an end has it.
    synchronized (this) {
      if (ended) {
        throw ManagerErrors.handleClosed(handle.pool());
      }
      if (lease == null) {
        lease = watches.openLease();
      }
      return block.segment(byteOffset, byteSize, lease);
    }
  }

  /**
   * Ends what was lent, and the watch.
   *
   * @throws IllegalStateException if a segment that was lent is in use this moment; nothing changed
   */
  void end() {
    synchronized (this) {
      if (lease != null) {
        lease.close();
        lease = null;
      }
      ended = true;
    }
    watches.forget(this);
    if (cleanable != null) {
      cleanable.clean();
    }
  }

  LeakSite site() {
    return new LeakSite(calls, 1, byteSize, lost ? 1 : 0);
  }
}
