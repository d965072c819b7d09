package io.cistern.manager;

import static io.cistern.page.SliceTable.NONE;

import io.cistern.AllocationException;
import io.cistern.DeviceMemoryException;
import io.cistern.LiveAllocation;
import io.cistern.OutOfDeviceMemoryException;
import io.cistern.PoolCapacityException;
import io.cistern.SizeNotAcceptedException;
import io.cistern.layout.PoolLayout;
import io.cistern.layout.ResolvedPool;
import io.cistern.page.Invariant;
import io.cistern.pool.EventBuffer;
import io.cistern.pool.Magazines;
import io.cistern.pool.PersistentPool;
import io.cistern.pool.Place;
import io.cistern.pool.Pool;
import io.cistern.pool.RequestCount;
import io.cistern.pool.RoutingTable;
import io.cistern.pool.UsageCounter;
import io.cistern.storage.MemoryEvent;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pools of the layout in force and the persistent pool, and the search through them.
 *
 * <p>Not safe for many threads: the manager's lock stands around it.
 */
final class PoolSet {

  private final PoolLayout layout;
  private final RoutingTable routes;
  private final EventBuffer events;
  private final Pool[] pools;
  private final PersistentPool persistent;
  private final long largestRoundable;

  // The layout's and the persistent one.
  private final List<Pool> all;

  /**
   * Nobody could serve a request; cold, and never seen outside of the manager.
   *
   * <p>Either the driver refused, or the last pool that accepts is full.
   */
  @SuppressWarnings("serial") // Never serialised: it does not leave the manager.
  static final class Refusal extends Exception {
    private final @Nullable DeviceMemoryException driver;
    private final @Nullable Pool lastFull;

    private Refusal(@Nullable DeviceMemoryException driver, @Nullable Pool lastFull) {
      super(null, driver, false, false);
      this.driver = driver;
      this.lastFull = lastFull;
    }

    /** Whether it was the driver that refused. */
    boolean byDriver() {
      return driver != null;
    }

    /** The last pool that was full, whose spill this search has counted if it went on. */
    int lastFull() {
      return lastFull == null ? RoutingTable.NO_POOL : lastFull.index();
    }
  }

  PoolSet(PoolLayout layout, Pool.Ground ground, PersistentPool persistent) {
    this.layout = layout;
    this.routes = new RoutingTable(layout.pools(), ground.granule());
    this.events = ground.events();
    this.persistent = persistent;
    this.largestRoundable = Long.MAX_VALUE & -ground.granule();
    this.pools = new Pool[layout.pools().size()];
    for (int i = 0; i < pools.length; i++) {
      pools[i] = Pool.of(i, layout.pools().get(i), ground);
    }
    this.all = Stream.concat(Arrays.stream(pools), Stream.of(persistent)).toList();
  }

  PoolLayout layout() {
    return layout;
  }

  /** Puts magazines in front of these pools. */
  void stock(Magazines magazines) {
    magazines.install(pools, routes);
  }

  /** A pool by its index, also of the persistent one. */
  Pool pool(int index) {
    return index == PersistentPool.INDEX ? persistent : pools[index];
  }

  /** Whether there is a pool with an index. */
  boolean hasPool(int index) {
    return index >= PersistentPool.INDEX && index < pools.length;
  }

  /** An even generation that no slice of the layout's pools has been beyond. O(slices). */
  int lastGeneration() {
    return Arrays.stream(pools).mapToInt(pool -> pool.slices().lastGeneration()).max().orElse(0);
  }

  /** The layout's pools. */
  Pool[] pools() {
    return pools;
  }

  PersistentPool persistent() {
    return persistent;
  }

  /**
   * Serves a request from the first pool that accepts it and has room.
   *
   * @param lastSpilled spills up to this pool are counted already, by an earlier search for the
   *     same request; {@link RoutingTable#NO_POOL} in the first
   * @return the {@link Place}
   * @throws SizeNotAcceptedException if no pool accepts the size
   * @throws Refusal if the driver refused a page, and later pools were not tried; or if the last
   *     pool that accepts is full
   */
  long serve(long byteSize, long alignment, long requestCount, int lastSpilled) throws Refusal {
    int index = routes.first(byteSize);
    if (index == RoutingTable.NO_POOL) {
      throw new SizeNotAcceptedException(byteSize, routes.largest());
    }
    Pool full = null;
    try {
      while (true) {
        Pool pool = pools[index];
        int slice = pool.allocate(byteSize, alignment, requestCount);
        if (slice != NONE) {
          return Place.of(index, slice);
        }
        full = pool;
        index = routes.next(index, byteSize);
        if (index == RoutingTable.NO_POOL) {
          throw new Refusal(null, full);
        }
        if (full.index() > lastSpilled) {
          countSpill(full, byteSize);
        }
      }
    } catch (DeviceMemoryException e) {
      throw new Refusal(e, full);
    }
  }

  /**
   * Serves a request from the persistent pool.
   *
   * @return the {@link Place}
   * @throws SizeNotAcceptedException if the size can't be rounded up
   * @throws Refusal if the driver refused
   */
  long servePersistent(long byteSize, long alignment, long requestCount) throws Refusal {
    if (byteSize > largestRoundable) {
      throw new SizeNotAcceptedException(byteSize, largestRoundable);
    }
    try {
      int slice = persistent.allocate(byteSize, alignment, requestCount);
      return Place.of(PersistentPool.INDEX, slice);
    } catch (DeviceMemoryException e) {
      throw new Refusal(e, null);
    }
  }

  /** Whether the persistent pool has a bucket for a size. */
  boolean hasPersistentBucket(long byteSize) {
    return byteSize <= largestRoundable && persistent.hasBucket(byteSize);
  }

  private void countSpill(Pool pool, long byteSize) {
    boolean first = pool.countSpill();
    if (events.wanted()) {
      events.add(new MemoryEvent.Spilled(pool.index(), byteSize, first));
    }
  }

  /** What the caller gets when a request is refused for good. O(live allocations). */
  AllocationException explain(Refusal refusal, long byteSize, UsageCounter total, Duration waited) {
    return refusal.lastFull != null
        ? new PoolCapacityException(
            byteSize,
            refusal.lastFull.index(),
            space(refusal.lastFull),
            waited,
            Optional.ofNullable(refusal.driver))
        : new OutOfDeviceMemoryException(
            byteSize,
            held(total),
            waited,
            largestLive(),
            Objects.requireNonNull(refusal.driver, "who refused"));
  }

  private static PoolCapacityException.FreeSpace space(Pool pool) {
    long capacity =
        pool.config() instanceof ResolvedPool.Sliced sliced
            ? sliced.maxPoolByteSize().orElse(Long.MAX_VALUE)
            : Long.MAX_VALUE;
    return new PoolCapacityException.FreeSpace(
        capacity,
        pool.usage().inUse(),
        pool.usage().pending(),
        pool.freeByteSize(),
        pool.largestFree());
  }

  private OutOfDeviceMemoryException.Held held(UsageCounter total) {
    long free = 0;
    long largestFree = 0;
    for (Pool pool : all) {
      free += pool.freeByteSize();
      largestFree = Math.max(largestFree, pool.largestFree());
    }
    return new OutOfDeviceMemoryException.Held(
        total.inUse(), total.pending(), total.pinned(), total.reserved(), free, largestFree);
  }

  private List<LiveAllocation> largestLive() {
    return live()
        .map(Pool.Live::allocation)
        .sorted(Comparator.comparingLong(LiveAllocation::byteSize).reversed())
        .limit(OutOfDeviceMemoryException.LARGEST_SHOWN)
        .toList();
  }

  /** What is live, in the order of its requests. O(live allocations), sorted. */
  Stream<Pool.Live> live() {
    return all.stream().flatMap(Pool::live).sorted(Comparator.comparingLong(Pool.Live::serial));
  }

  /** Bytes that the layout's pools hold. */
  long reserved() {
    return Arrays.stream(pools).mapToLong(pool -> pool.usage().reserved()).sum();
  }

  /** Allocations in the layout's pools. */
  long allocations() {
    return Arrays.stream(pools).mapToLong(pool -> pool.usage().allocations()).sum();
  }

  /** Requested bytes of the allocations in the layout's pools. */
  long inUse() {
    return Arrays.stream(pools).mapToLong(pool -> pool.usage().inUse()).sum();
  }

  /** Bytes that fences keep in the layout's pools. */
  long pending() {
    return Arrays.stream(pools).mapToLong(pool -> pool.usage().pending()).sum();
  }

  /** The request count before which the next idle page has to go back. O(pools). */
  long nextDue() {
    return Arrays.stream(pools).mapToLong(Pool::nextDue).min().orElse(Pool.NEVER);
  }

  /** Gives back the pages whose period is over. O(pools), and the pages. */
  void giveBackDue(long requestCount) {
    for (Pool pool : pools) {
      pool.giveBackDue(requestCount);
    }
  }

  /** Gives back every idle page that the device takes. */
  void giveBackIdle(long requestCount) {
    all.forEach(pool -> pool.giveBackIdle(requestCount));
  }

  /** Checks every pool, and that the totals are their sums. O(slices). */
  void checkInvariants(UsageCounter total, RequestCount requests, boolean capturing) {
    for (Pool pool : all) {
      pool.checkInvariants();
      Invariant.check(
          capturing || pool.nextDue() > requests.count(), "pool", pool.index(), "has given back");
      Invariant.check(requests.nextDue() <= pool.nextDue(), "pool", pool.index(), "is watched");
    }
    checkSum(total.allocations(), UsageCounter::allocations, "allocations");
    checkSum(total.inUse(), UsageCounter::inUse, "in use");
    checkSum(total.padding(), UsageCounter::padding, "padding");
    checkSum(total.reserved(), UsageCounter::reserved, "reserved");
    checkSum(total.pending(), UsageCounter::pending, "pending");
    checkSum(total.pinned(), UsageCounter::pinned, "pinned");
    total.checkInvariants();
  }

  private void checkSum(long total, ToLongFunction<UsageCounter> value, String name) {
    long sum = all.stream().mapToLong(pool -> value.applyAsLong(pool.usage())).sum();
    Invariant.check(total == sum, name, sum, "in all pools, counted", total);
  }

  /** Gives back every page that the device takes, whatever is on it; the pools end. */
  void end() {
    all.forEach(Pool::end);
  }
}
