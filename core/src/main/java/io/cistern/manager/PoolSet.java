package io.cistern.manager;

import static io.cistern.page.SliceTable.NONE;

import io.cistern.AllocationException;
import io.cistern.DeviceMemoryException;
import io.cistern.OutOfDeviceMemoryException;
import io.cistern.PoolCapacityException;
import io.cistern.SizeNotAcceptedException;
import io.cistern.layout.PoolLayout;
import io.cistern.layout.ResolvedPool;
import io.cistern.page.Invariant;
import io.cistern.page.SliceTable;
import io.cistern.pool.EventBuffer;
import io.cistern.pool.Pool;
import io.cistern.pool.RoutingTable;
import io.cistern.pool.UsageCounter;
import io.cistern.storage.MemoryEvent;
import org.jspecify.annotations.Nullable;

/**
 * The pools of the layout in force, and the search through them.
 *
 * <p>Not safe for many threads: the manager's lock stands around it.
 */
final class PoolSet {

  private final PoolLayout layout;
  private final RoutingTable routes;
  private final EventBuffer events;
  private final Pool[] pools;

  /** The search met a driver that refused; cold, and never seen outside of the manager. */
  @SuppressWarnings("serial") // Never serialised: it does not leave the manager.
  static final class DriverRefusal extends Exception {
    private final DeviceMemoryException refusal;
    private final @Nullable Pool lastFull;

    DriverRefusal(DeviceMemoryException refusal, @Nullable Pool lastFull) {
      super(null, refusal, false, false);
      this.refusal = refusal;
      this.lastFull = lastFull;
    }

    /** The last pool whose spill this search has counted. */
    int lastSpilled() {
      return lastFull == null ? RoutingTable.NO_POOL : lastFull.index();
    }
  }

  PoolSet(PoolLayout layout, Pool.Ground ground) {
    this.layout = layout;
    this.routes = new RoutingTable(layout.pools(), ground.granule());
    this.events = ground.events();
    this.pools = new Pool[layout.pools().size()];
    for (int i = 0; i < pools.length; i++) {
      pools[i] = Pool.of(i, layout.pools().get(i), ground);
    }
  }

  PoolLayout layout() {
    return layout;
  }

  Pool[] pools() {
    return pools;
  }

  /**
   * Serves a request from the first pool that accepts it and has room.
   *
   * @param lastSpilled spills up to this pool are counted already, by an earlier search for the
   *     same request; {@link RoutingTable#NO_POOL} in the first
   * @throws DriverRefusal if the driver refused a page; later pools were not tried
   */
  Allocation serve(
      MemoryManager manager, long byteSize, long alignment, long requestCount, int lastSpilled)
      throws DriverRefusal {
    int index = routes.first(byteSize);
    if (index == RoutingTable.NO_POOL) {
      throw new SizeNotAcceptedException(byteSize, routes.largest());
    }
    Pool full = null;
    try {
      while (true) {
        Pool pool = pools[index];
        int slice = pool.allocate(byteSize, alignment, requestCount);
        if (slice != Pool.FULL) {
          return handle(manager, pool, slice, byteSize);
        }
        full = pool;
        index = routes.next(index, byteSize);
        if (index == RoutingTable.NO_POOL) {
          throw new PoolCapacityException(byteSize, full.index(), space(full));
        }
        if (full.index() > lastSpilled) {
          countSpill(full, byteSize);
        }
      }
    } catch (DeviceMemoryException e) {
      throw new DriverRefusal(e, full);
    }
  }

  private static Allocation handle(MemoryManager manager, Pool pool, int slice, long byteSize) {
    if (slice == NONE) {
      return new Allocation(manager, pool, null, NONE, Allocation.ZERO_SIZED, 0, 0);
    }
    SliceTable slices = pool.slices();
    return new Allocation(
        manager,
        pool,
        pool.block(slice),
        slice,
        slices.generation(slice),
        byteSize,
        slices.offset(slice));
  }

  private void countSpill(Pool pool, long byteSize) {
    boolean first = pool.countSpill();
    if (events.wanted()) {
      events.add(new MemoryEvent.Spilled(pool.index(), byteSize, first));
    }
  }

  /** What the caller gets when the driver refused for good. */
  AllocationException explain(DriverRefusal refusal, long byteSize, UsageCounter total) {
    Pool full = refusal.lastFull;
    return full != null
        ? new PoolCapacityException(byteSize, full.index(), space(full), refusal.refusal)
        : new OutOfDeviceMemoryException(byteSize, held(total), refusal.refusal);
  }

  private static PoolCapacityException.FreeSpace space(Pool pool) {
    long capacity =
        pool.config() instanceof ResolvedPool.Sliced sliced
            ? sliced.maxPoolByteSize().orElse(Long.MAX_VALUE)
            : Long.MAX_VALUE;
    return new PoolCapacityException.FreeSpace(
        capacity, pool.usage().inUse(), pool.freeByteSize(), pool.largestFree());
  }

  private OutOfDeviceMemoryException.Held held(UsageCounter total) {
    long free = 0;
    long largestFree = 0;
    for (Pool pool : pools) {
      free += pool.freeByteSize();
      largestFree = Math.max(largestFree, pool.largestFree());
    }
    return new OutOfDeviceMemoryException.Held(
        total.inUse(), 0, 0, total.reserved(), free, largestFree);
  }

  /** Gives back the pages whose period is over; returns when the next is due. */
  long giveBackDue(long requestCount) {
    long nextDue = Pool.NEVER;
    for (Pool pool : pools) {
      pool.giveBackDue(requestCount);
      nextDue = Math.min(nextDue, pool.nextDue());
    }
    return nextDue;
  }

  /** Gives back every idle page that the device takes. */
  void giveBackIdle(long requestCount) {
    for (Pool pool : pools) {
      pool.giveBackIdle(requestCount);
    }
  }

  /** Checks every pool, and that the totals are their sums. O(slices). */
  void checkInvariants(UsageCounter total, long requestCount, long nextDue) {
    long allocations = 0;
    long inUse = 0;
    long padding = 0;
    long reserved = 0;
    for (Pool pool : pools) {
      pool.checkInvariants();
      allocations += pool.usage().allocations();
      inUse += pool.usage().inUse();
      padding += pool.usage().padding();
      reserved += pool.usage().reserved();
      Invariant.check(pool.nextDue() > requestCount, "pool", pool.index(), "has given back");
      Invariant.check(nextDue <= pool.nextDue(), "pool", pool.index(), "is watched");
    }
    Invariant.check(total.allocations() == allocations, allocations, "allocations");
    Invariant.check(total.inUse() == inUse, "in use", inUse);
    Invariant.check(total.padding() == padding, "padding", padding);
    Invariant.check(total.reserved() == reserved, "reserved", reserved);
    total.checkInvariants();
  }

  /** Gives back every page that the device takes, whatever is on it; the pools end. */
  void end() {
    for (Pool pool : pools) {
      pool.end();
    }
  }
}
