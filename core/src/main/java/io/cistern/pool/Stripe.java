package io.cistern.pool;

import io.cistern.page.SliceTable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The magazines of the threads that share a stripe: what they take comes back here, to be taken
 * again, without the pools' lock.
 *
 * <p>A thread enters a stripe for one operation of a few instructions. Under the pools' lock a
 * stripe is stopped: nobody enters it until that lock is released, and what it counted is counted
 * where it belongs. One that must not run at all is closed.
 *
 * <p>Lock order: the pools' lock, then any number of stripes. Who is in a stripe asks for no lock.
 */
public final class Stripe extends Padded {

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Stripe.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // Closed is 0: a thread that sees a stripe which was made this moment can't enter it. A stopped
  // one is free again within a moment, or closed.
  private static final int CLOSED = 0;
  private static final int FREE = 1;
  private static final int BUSY = 2;
  private static final int STOPPED = 3;

  private static final int SPINS = 100;

  /**
   * How long a thread stands back that found another in a stripe: the other may then do several
   * operations with all it needs in its cache. Measured, at a slice that one thread takes and
   * another closes: 32 is a quarter faster than 1.
   */
  private static final int PAUSES = 32;

  private long requestsLeft;
  private int state;

  // The number of the last request that was granted; the one before it when one is left.
  private long lastSerial;

  private final Magazines magazines;
  private final int home;
  private final @Nullable Shelf[] shelves;
  private final List<Loan> loans = new ArrayList<>(2);

  // Guarded by the pools' lock.
  private long requestsGranted;
  private long unused;
  private boolean stopped = true;

  /**
   * Makes a stripe that is stopped.
   *
   * @param home its number as the home of slices
   * @param classes how many size classes there are
   */
  Stripe(Magazines magazines, int home, int classes) {
    this.magazines = magazines;
    this.home = home;
    this.shelves = new @Nullable Shelf[classes];
  }

  Magazines magazines() {
    return magazines;
  }

  /** Enters, to take or put a slice; false if the stripe is closed, or others are long in it. */
  boolean enter() {
    return STATE.compareAndSet(this, FREE, BUSY) || enterLater();
  }

  private boolean enterLater() {
    for (int spin = 1; spin <= SPINS; spin++) {
      if ((int) STATE.getOpaque(this) == CLOSED) {
        return false;
      }
      for (int pause = 0; pause < PAUSES; pause++) {
        Thread.onSpinWait();
      }
      if (STATE.compareAndSet(this, FREE, BUSY)) {
        return true;
      }
    }
    return false;
  }

  /** Leaves again. */
  public void leave() {
    STATE.setRelease(this, FREE);
  }

  /** The shelf for a request; null if there is none, or it was never used here. */
  private @Nullable Shelf shelf(long byteSize) {
    return shelves[magazines.classOf(byteSize)];
  }

  /**
   * Serves a request; entered.
   *
   * @return the {@link Place} of the slice, owned; {@link Place#NONE} if the pools have to be asked
   */
  public long take(long byteSize) {
    Shelf shelf = shelf(byteSize);
    if (shelf == null
        || requestsLeft == 0
        || shelf.isEmpty()
        || !shelf.loan().spend(byteSize, magazines.padding(byteSize))) {
      return Place.NONE;
    }
    requestsLeft--;
    int slice = shelf.pop();
    shelf.slices().own(slice, byteSize, lastSerial - requestsLeft);
    return Place.of(shelf.poolIndex(), slice);
  }

  /**
   * Puts a slice that is at home here on its shelf, closed by its only owner; entered.
   *
   * @return false if the pool has to take it, and nothing changed
   */
  public boolean put(SliceTable slices, int slice) {
    long byteSize = slices.requested(slice);
    Shelf shelf = shelf(byteSize);
    if (shelf == null || shelf.isFull()) {
      return false;
    }
    slices.disown(slice);
    shelf.push(slice);
    shelf.loan().repay(byteSize, magazines.padding(byteSize));
    return true;
  }

  boolean isStopped() {
    return stopped;
  }

  /** Keeps everybody out, and settles what was counted here. Under the pools' lock. */
  void stop(RequestCount requests) {
    for (int spin = 1; !STATE.compareAndSet(this, FREE, STOPPED); spin++) {
      if (spin % SPINS == 0) {
        LockSupport.parkNanos(1); // Whoever is in here has lost its processor.
      } else {
        Thread.onSpinWait();
      }
    }
    stopped = true;
    unused = requestsLeft;
    requests.settle(requestsGranted, requestsLeft);
    loans.forEach(loan -> loan.pool().recall(loan));
  }

  /** Keeps everybody out until it is resumed; stopped. */
  void close() {
    STATE.setOpaque(this, CLOSED);
  }

  /** Lets threads in again, with as much as they may do alone. Under the pools' lock. */
  void resume(RequestCount requests) {
    for (Loan loan : loans) {
      loan.pool().usage().lend(loan);
    }
    requestsGranted = requests.grant();
    requestsLeft = requestsGranted;
    // What was granted and not used goes to nobody: the numbers only rise.
    lastSerial = Math.max(lastSerial - unused, requests.count()) + requestsGranted;
    stopped = false;
    STATE.setRelease(this, FREE);
  }

  /** The shelf of a size class, made on first use. Stopped. */
  Shelf shelfFor(int sizeClass, SlicedPool pool, long byteSize) {
    Shelf shelf = shelves[sizeClass];
    if (shelf == null) {
      shelf = new Shelf(pool, home, byteSize, loanOf(pool));
      shelves[sizeClass] = shelf;
    }
    return shelf;
  }

  private Loan loanOf(Pool pool) {
    for (Loan loan : loans) {
      if (loan.pool() == pool) {
        return loan;
      }
    }
    Loan loan = new Loan(pool);
    loans.add(loan);
    return loan;
  }

  /** Gives all slices of a pool back to its pages; whether there were any. Stopped. */
  boolean drain(Pool pool, long requestCount) {
    boolean drained = false;
    for (Shelf shelf : shelves) {
      if (shelf != null && shelf.pool() == pool && !shelf.isEmpty()) {
        shelf.empty(requestCount);
        drained = true;
      }
    }
    return drained;
  }

  /** Forgets its shelves, which are empty: the pools are others now. Stopped. */
  void clear() {
    Arrays.fill(shelves, null);
    loans.clear();
  }

  /** The slices at home on the shelves of a pool, for checks. Stopped. */
  int stocked(Pool pool) {
    int count = 0;
    for (Shelf shelf : shelves) {
      count += shelf != null && shelf.pool() == pool ? shelf.atHome() : 0;
    }
    return count;
  }
}
