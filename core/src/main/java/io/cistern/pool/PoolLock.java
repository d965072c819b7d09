package io.cistern.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lock around the pools of a manager, or of all managers that count into one device's totals,
 * and the stripes that were stopped under it.
 *
 * <p>A thread that finds it locked spins a little, because most work under it is shorter than going
 * to sleep, and then sleeps. A confined one belongs to a thread: nothing is locked, and any other
 * thread is refused.
 */
public final class PoolLock {

  private static final int SPINS = 200;

  private final ReentrantLock lock = new ReentrantLock();
  private final @Nullable Thread owner;

  // Guarded by the lock. Stripes of all that share it: how many run, and those to be resumed.
  private final List<Magazines> members = new ArrayList<>();
  private final List<Stripe> stopped = new ArrayList<>();
  private int running;
  private int depth;

  private PoolLock(@Nullable Thread owner) {
    this.owner = owner;
  }

  /** A lock for any thread. */
  public static PoolLock shared() {
    return new PoolLock(null);
  }

  /** No lock: what it stands around is used by the calling thread alone. */
  public static PoolLock confined() {
    return new PoolLock(Thread.currentThread());
  }

  /** Whether this thread may lock it at all. */
  public boolean admits(Thread thread) {
    return owner == null || owner == thread;
  }

  /** Whether it belongs to a thread. */
  public boolean isConfined() {
    return owner != null;
  }

  /**
   * Waits for the lock. It may be taken more than once.
   *
   * @throws WrongThreadException if it belongs to another thread
   */
  public void lock() {
    if (owner == null) {
      lockShared();
    } else {
      checkThread();
    }
    depth++;
  }

  /**
   * Checks that this thread may lock it.
   *
   * @throws WrongThreadException if it belongs to another thread
   */
  public void checkThread() {
    if (owner != null && owner != Thread.currentThread()) {
      throw new WrongThreadException(
          "the memory manager is confined to thread \""
              + owner.getName()
              + "\", and was called by thread \""
              + Thread.currentThread().getName()
              + "\"");
    }
  }

  private void lockShared() {
    for (int spin = 0; spin < SPINS; spin++) {
      if (lock.tryLock()) {
        return;
      }
      Thread.onSpinWait();
    }
    lock.lock();
  }

  /** As {@link #lock}, with all stripes stopped: every number is exact. */
  public void lockExact() {
    lock();
    stopAll();
  }

  /** Resumes the stripes that may run, and releases the lock. */
  public void unlock() {
    depth--;
    if (depth == 0 && !stopped.isEmpty()) {
      resume();
    }
    if (owner == null) {
      lock.unlock();
    }
  }

  private void resume() {
    int kept = 0;
    for (int i = 0; i < stopped.size(); i++) {
      Stripe stripe = stopped.get(i);
      if (stripe.magazines().resume(stripe)) {
        running++;
      } else {
        stopped.set(kept++, stripe);
      }
    }
    stopped.subList(kept, stopped.size()).clear();
  }

  /** Stops every stripe of all that share the lock. O(stripes), and nothing if none runs. */
  void stopAll() {
    if (running > 0) {
      members.forEach(Magazines::stopAll);
    }
  }

  void join(Magazines magazines) {
    members.add(magazines);
  }

  /** Forgets magazines that have ended; their stripes stay stopped. */
  void leave(Magazines magazines) {
    members.remove(magazines);
    stopped.removeIf(stripe -> stripe.magazines() == magazines);
  }

  /** Notes that a stripe is stopped which ran before. */
  void stoppedOne(Stripe stripe) {
    running--;
    stopped.add(stripe);
  }

  /** Notes a new stripe, which is stopped. */
  void madeOne(Stripe stripe) {
    stopped.add(stripe);
  }
}
