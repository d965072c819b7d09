package io.cistern.pool;

import io.cistern.layout.ResolvedPool;
import io.cistern.page.SliceTable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The magazines of a manager: slices that were freed a moment ago, by size class, in front of the
 * sliced pools.
 *
 * <p><b>Structure.</b> Small sizes are sorted into {@link SizeClasses}. Threads are spread over
 * {@link Stripe}s by their number, so that threads come and go and leave nothing behind; each
 * stripe has a {@link Shelf} for each class. Pools with a deallocation period have none, nor have
 * classes whose sizes are not all served by the same pool first, or are large for its pages.
 *
 * <p>A slice goes back to the shelf that it came from, whoever closes it: the stripe of that shelf
 * is its home. So what one thread allocates and another closes goes round between the two without
 * the lock, and being in the home is what makes a close happen once.
 *
 * <p><b>Rules.</b> What is on a shelf counts as free and as reserved. A shelf is filled from pages
 * that are held, and a pool takes all of its slices back before it grows or is full. Which slice
 * serves a request depends on the calls alone, as long as one thread makes them; how threads are
 * interleaved decides it otherwise.
 *
 * <p>Taking and putting cost O(1): one atomic instruction to enter the stripe, and no lock as long
 * as the shelf is neither empty nor full.
 */
public final class Magazines {

  /** Requests above this size have none: finding them a place is little beside using them. */
  private static final long LARGEST = 64 << 10;

  /** A slice of a shelf is at most this part of a page. */
  private static final int PART_OF_PAGE = 32;

  /** Pages below this size are meant to be filled to the byte, which classes of sizes would not. */
  private static final long SMALLEST_PAGE = 64 << 10;

  /** Enough that two of the threads that run at a time seldom share a stripe. */
  private static final int STRIPES =
      Math.max(16, 8 * Integer.highestOneBit(Runtime.getRuntime().availableProcessors()));

  /** The home of slices that no magazine has had; stripes are homes from 1 on. */
  static final int NO_HOME = 0;

  private final PoolLock lock;
  private final RequestCount requests;
  private final int granuleShift;
  private final long largest;

  // Null where no thread has come yet. Written under the lock; whoever reads one that is not yet
  // whole finds it stopped.
  private final @Nullable Stripe[] stripes = new @Nullable Stripe[STRIPES];

  // By size class; null for a class without shelves. Guarded by the lock.
  private final @Nullable SlicedPool[] pools;

  private boolean running;

  /**
   * Makes magazines that do not run yet, in front of no pools.
   *
   * @param lock the pools' lock
   * @param granule the device's alignment in bytes, a power of two
   */
  public Magazines(PoolLock lock, RequestCount requests, long granule) {
    this.lock = lock;
    this.requests = requests;
    this.granuleShift = Long.numberOfTrailingZeros(granule);
    this.largest = lock.isConfined() ? 0 : Math.max(LARGEST >>> granuleShift, 1);
    this.pools = new @Nullable SlicedPool[SizeClasses.of(Math.max(largest, 1)) + 1];
  }

  /** Joins the others that share the lock, which is held. */
  public void join() {
    lock.join(this);
  }

  /** Stands in front of other pools than before; every shelf is empty. Under the lock. */
  public void install(Pool[] layout, RoutingTable routes) {
    stopAll();
    for (Stripe stripe : stripes) {
      if (stripe != null) {
        stripe.clear();
      }
    }
    for (int sizeClass = 1; sizeClass < pools.length; sizeClass++) {
      pools[sizeClass] = poolOf(sizeClass, layout, routes);
    }
  }

  private @Nullable SlicedPool poolOf(int sizeClass, Pool[] layout, RoutingTable routes) {
    long above = SizeClasses.granules(sizeClass - 1) << granuleShift;
    long byteSize = byteSize(sizeClass);
    int first = routes.first(byteSize);
    if (byteSize > largest << granuleShift
        || first == RoutingTable.NO_POOL
        || !routes.isSame(above + 1, byteSize)) {
      return null;
    }
    return layout[first] instanceof SlicedPool pool
            && pool.config() instanceof ResolvedPool.Sliced config
            && config.deallocPeriod().isEmpty()
            && config.pageByteSize() >= SMALLEST_PAGE
            && byteSize <= config.pageByteSize() / PART_OF_PAGE
        ? pool
        : null;
  }

  private long byteSize(int sizeClass) {
    return SizeClasses.granules(sizeClass) << granuleShift;
  }

  /** The class of a request; 0 if it has no shelf whatever the pools are. */
  int classOf(long byteSize) {
    long granules = (byteSize + (1L << granuleShift) - 1) >>> granuleShift;
    return granules > 0 && granules <= largest ? SizeClasses.of(granules) : 0;
  }

  /** What rounding a request up costs, in bytes. */
  long padding(long byteSize) {
    return -byteSize & ((1L << granuleShift) - 1);
  }

  private static int index() {
    return (int) Thread.currentThread().threadId() & (STRIPES - 1);
  }

  /**
   * Enters the home of a slice, without the lock; null if it has none, or that can't be. While in
   * there, a thread alone decides over the handles of a slice that is at home there.
   */
  public @Nullable Stripe enterHome(SliceTable slices, int slice) {
    Stripe stripe = home(slices, slice);
    if (stripe == null || !stripe.enter()) {
      return null;
    }
    if (home(slices, slice) != stripe) {
      stripe.leave(); // A stale handle: the slice has gone elsewhere meanwhile.
      return null;
    }
    return stripe;
  }

  /** Stops the home of a slice, if it has one: this thread decides over its handles. Locked. */
  public @Nullable Stripe stopHome(SliceTable slices, int slice) {
    Stripe stripe = home(slices, slice);
    if (stripe != null) {
      stop(stripe);
    }
    return stripe;
  }

  private @Nullable Stripe home(SliceTable slices, int slice) {
    int home = slices.home(slice);
    return home == NO_HOME ? null : stripes[home - 1];
  }

  /** Enters the stripe of this thread, without the lock; null if that can't be. */
  public @Nullable Stripe enter() {
    Stripe stripe = stripes[index()];
    return stripe != null && stripe.enter() ? stripe : null;
  }

  /** The shelf of this thread for slices of a pool, stopped; null if there is none. Locked. */
  @Nullable Shelf shelf(SlicedPool pool, long byteSize) {
    int sizeClass = classOf(byteSize);
    return pools[sizeClass] == pool ? own().shelfFor(sizeClass, pool, byteSize(sizeClass)) : null;
  }

  /** The shelf that a slice came from, stopped; null if it came from none. Locked. */
  @Nullable Shelf homeShelf(SlicedPool pool, int slice) {
    Stripe home = stopHome(pool.slices(), slice);
    // By what it takes: a slice that could not be mapped comes back before anybody owned it.
    int sizeClass = classOf(pool.slices().byteSize(slice));
    return home == null || pools[sizeClass] != pool
        ? null
        : home.shelfFor(sizeClass, pool, byteSize(sizeClass));
  }

  private Stripe own() {
    int index = index();
    Stripe stripe = stripes[index];
    if (stripe == null) {
      stripe = new Stripe(this, index + 1, pools.length);
      stripes[index] = stripe;
      lock.madeOne(stripe);
    } else {
      stop(stripe);
    }
    return stripe;
  }

  private void stop(Stripe stripe) {
    if (!stripe.isStopped()) {
      stripe.stop(requests);
      lock.stoppedOne(stripe);
    }
  }

  /**
   * Counts what this thread has been served without the lock, so that the requests of one thread
   * are numbered in their order. Under the lock.
   */
  public void settleOwn() {
    Stripe stripe = stripes[index()];
    if (stripe != null) {
      stop(stripe);
    }
  }

  /** Stops every stripe, until the lock is released. Under the lock. */
  public void stopAll() {
    for (Stripe stripe : stripes) {
      if (stripe != null) {
        stop(stripe);
      }
    }
  }

  /** Whether stripes may run from the next release of the lock on. Under the lock. */
  public void run(boolean mayRun) {
    if (running != mayRun) {
      running = mayRun;
      if (!mayRun) {
        stopAll();
      }
    }
  }

  /** Resumes a stripe if these run, or closes it. */
  boolean resume(Stripe stripe) {
    if (running) {
      stripe.resume(requests);
    } else {
      stripe.close();
    }
    return running;
  }

  /** Gives all slices of a pool back to its pages; whether there were any. Under the lock. */
  boolean drain(SlicedPool pool) {
    boolean drained = false;
    for (Stripe stripe : stripes) {
      if (stripe != null) {
        stop(stripe);
        drained |= stripe.drain(pool, requests.count());
      }
    }
    return drained;
  }

  /** Ends, with every slice given back to its pages; from now on there are no shelves. Locked. */
  public void end(Pool[] layout) {
    run(false);
    drainAll(layout);
    Arrays.fill(pools, null);
    lock.leave(this);
  }

  /** Gives all slices back to their pages. Under the lock. */
  public void drainAll(Pool[] layout) {
    for (Pool pool : layout) {
      if (pool instanceof SlicedPool sliced) {
        drain(sliced);
      }
    }
  }

  /** How many slices of a pool are at home on shelves, for checks. All stripes are stopped. */
  int stocked(Pool pool) {
    int count = 0;
    for (Stripe stripe : stripes) {
      count += stripe == null ? 0 : stripe.stocked(pool);
    }
    return count;
  }
}
