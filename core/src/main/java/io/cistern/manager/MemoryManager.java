package io.cistern.manager;

import io.cistern.AllocationException;
import io.cistern.DeviceMemoryException;
import io.cistern.MemorySize;
import io.cistern.MemoryUsage;
import io.cistern.PoolsInUseException;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.layout.LayoutException;
import io.cistern.layout.PoolLayout;
import io.cistern.pool.EventBuffer;
import io.cistern.pool.Pool;
import io.cistern.pool.RoutingTable;
import io.cistern.pool.UsageCounter;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.MemoryEvent;
import io.cistern.storage.MemoryListener;
import io.cistern.storage.Storage;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A layout at work on a storage: one order of device work (a stream).
 *
 * <p>A request is served by the first pool of the layout that accepts its size. A full capped pool
 * passes it on to the next that accepts. What nobody can serve is refused with an {@link
 * AllocationException} that says what was asked and what was possible.
 *
 * <p>Safe for many threads: one lock stands around the pools. Where one thread works, the same
 * calls give the same places, every time.
 */
public final class MemoryManager implements AutoCloseable {

  private final String name;
  private final Storage storage;
  private final DeviceProperties device;
  private final Listening listening;
  private final EventBuffer events;
  private final UsageCounter total;

  // The one lock around pools, counters and events; managers of one device memory share it.
  private final ReentrantLock lock;

  // Guarded by lock (open is read without it). requestCount counts every request, also refused
  // ones; no idle page is due before request number nextDue.
  private PoolSet pools;
  private long requestCount;
  private long nextDue = Pool.NEVER;
  private volatile boolean open = true;

  private MemoryManager(Builder builder, PoolLayout layout) {
    this.name = builder.name;
    this.storage = builder.storage;
    this.device = layout.device();
    this.listening = new Listening(name, builder.listener);
    this.events = listening.newBuffer();
    this.lock = builder.lock;
    this.total = new UsageCounter(builder.deviceTotal);
    this.pools = new PoolSet(layout, ground());
  }

  private Pool.Ground ground() {
    return new Pool.Ground(storage, device.byteAlignment(), events, total);
  }

  /**
   * Opens a manager.
   *
   * @param storage the device; the caller closes it, after the manager
   * @param pools the pools that are wanted
   * @throws LayoutException if the pools can't work on the device
   */
  public static MemoryManager open(Storage storage, MemoryPoolsConfig pools) {
    return builder(storage).pools(pools).open();
  }

  /**
   * Begins to open a manager.
   *
   * @param storage the device; the caller closes it, after the manager
   */
  public static Builder builder(Storage storage) {
    return new Builder(storage);
  }

  /**
   * Serves a request, aligned as the device wants it. O(1) in the number of live allocations; a
   * driver call where the pool has to grow.
   *
   * @param byteSize the size in bytes, at least 0
   * @throws AllocationException if the memory can't be had; every total is what it was
   * @throws IllegalArgumentException if the size is negative
   * @throws IllegalStateException if this manager is closed
   */
  public Allocation allocate(long byteSize) {
    return allocate(byteSize, 1);
  }

  /**
   * As {@link #allocate(long)}, at an alignment.
   *
   * @param byteSize the size in bytes, at least 0
   * @param byteAlignment what the slice's place must be a multiple of, in bytes: a power of two up
   *     to the device's block alignment; below the device's alignment it has no effect
   * @throws AllocationException if the memory can't be had; every total is what it was
   * @throws IllegalArgumentException if the size is negative, or the alignment is no power of two
   *     or above the device's block alignment
   * @throws IllegalStateException if this manager is closed
   */
  public Allocation allocate(long byteSize, long byteAlignment) {
    checkRequest(byteSize, byteAlignment);
    PoolSet.DriverRefusal refusal;
    lock.lock();
    try {
      checkOpen();
      requestCount++;
      if (requestCount >= nextDue) {
        nextDue = pools.giveBackDue(requestCount);
      }
      return serve(byteSize, byteAlignment, RoutingTable.NO_POOL);
    } catch (PoolSet.DriverRefusal e) {
      refusal = e;
    } finally {
      unlockAndTell();
    }
    return retry(byteSize, byteAlignment, refusal);
  }

  private void checkRequest(long byteSize, long byteAlignment) {
    if (byteSize < 0) {
      throw ManagerErrors.negativeSize(byteSize);
    }
    if (byteAlignment < 1 || (byteAlignment & (byteAlignment - 1)) != 0) {
      throw ManagerErrors.badAlignment(byteAlignment);
    }
    if (byteAlignment > device.blockAlignment()) {
      throw ManagerErrors.alignmentTooLarge(byteAlignment, device.blockAlignment());
    }
  }

  private Allocation serve(long byteSize, long byteAlignment, int lastSpilled)
      throws PoolSet.DriverRefusal {
    try {
      Allocation allocation = pools.serve(this, byteSize, byteAlignment, requestCount, lastSpilled);
      if (events.requestsWanted()) {
        events.add(new MemoryEvent.Served(allocation.pool(), byteSize));
      }
      return allocation;
    } catch (AllocationException e) {
      noteRefused(byteSize, e);
      throw e;
    }
  }

  /** Cleans up wherever the same device's memory lies idle, and tries the whole route once more. */
  private Allocation retry(long byteSize, long byteAlignment, PoolSet.DriverRefusal first) {
    StorageUsers.trimAll(storage);
    lock.lock();
    try {
      checkOpen();
      return serve(byteSize, byteAlignment, first.lastSpilled());
    } catch (PoolSet.DriverRefusal second) {
      AllocationException error = pools.explain(second, byteSize, total);
      noteRefused(byteSize, error);
      throw error;
    } finally {
      unlockAndTell();
    }
  }

  private void noteRefused(long byteSize, AllocationException error) {
    if (events.wanted()) {
      events.add(new MemoryEvent.Refused(byteSize, error));
    }
  }

  void release(Allocation allocation) {
    lock.lock();
    try {
      int generation = allocation.markClosed();
      if (!open) {
        return;
      }
      allocation.freeSlice(generation, requestCount);
      Pool pool = allocation.servedBy();
      nextDue = Math.min(nextDue, pool.nextDue());
      if (events.requestsWanted()) {
        events.add(new MemoryEvent.Released(pool.index(), allocation.requestedByteSize()));
      }
    } finally {
      unlockAndTell();
    }
  }

  /**
   * Gives all free memory back to the driver: an explicit cleanup. O(pages given back).
   *
   * <p>A page that the driver does not take now stays in its pool, to be given back later.
   *
   * @return how much went back
   * @throws IllegalStateException if this manager is closed
   */
  public MemorySize trim() {
    lock.lock();
    try {
      checkOpen();
      return MemorySize.of(cleanUp());
    } finally {
      unlockAndTell();
    }
  }

  void trimIfOpen() {
    lock.lock();
    try {
      if (open) {
        cleanUp();
      }
    } finally {
      unlockAndTell();
    }
  }

  private long cleanUp() {
    long before = total.reserved();
    pools.giveBackIdle(requestCount);
    long givenBack = before - total.reserved();
    if (events.wanted()) {
      events.add(new MemoryEvent.CleanedUp(givenBack));
    }
    return givenBack;
  }

  /**
   * Puts another layout in force: cleans up, then swaps. Peaks and other marks start afresh.
   *
   * @throws LayoutException if the pools can't work on the device; nothing is disturbed
   * @throws PoolsInUseException if allocations are live, zero-sized ones included; nothing is
   *     disturbed
   * @throws DeviceMemoryException if the device did not take a page back; the layout stays
   * @throws IllegalStateException if this manager is closed
   */
  public void install(MemoryPoolsConfig config) {
    PoolLayout layout = PoolLayout.resolve(config, device);
    lock.lock();
    try {
      checkOpen();
      if (total.allocations() > 0) {
        throw new PoolsInUseException(total.allocations(), total.inUse());
      }
      cleanUp();
      if (total.reserved() > 0) {
        throw ManagerErrors.pagesKept(total.reserved());
      }
      pools = new PoolSet(layout, ground());
      total.resetPeaks();
      nextDue = Pool.NEVER;
      if (events.wanted()) {
        events.add(new MemoryEvent.Installed(config));
      }
    } finally {
      unlockAndTell();
    }
  }

  /** The layout in force. */
  public PoolLayout layout() {
    lock.lock();
    try {
      return pools.layout();
    } finally {
      lock.unlock();
    }
  }

  /** What all pools together hold at this moment. O(1). */
  public MemoryUsage usage() {
    lock.lock();
    try {
      return total.toUsage();
    } finally {
      lock.unlock();
    }
  }

  /** What each pool holds and has done since the layout was installed. O(pools). */
  public MemoryReport report() {
    lock.lock();
    try {
      return Reports.of(pools, total);
    } finally {
      lock.unlock();
    }
  }

  /**
   * The pages of a pool. O(slices of the pool).
   *
   * @param pool the pool's index in routing order
   * @throws IndexOutOfBoundsException if there is no such pool
   */
  public List<MemoryReport.PageReport> pages(int pool) {
    lock.lock();
    try {
      return Reports.ofPages(pools.pools()[Objects.checkIndex(pool, pools.pools().length)]);
    } finally {
      lock.unlock();
    }
  }

  /** The name that was given when this was opened. */
  public String name() {
    return name;
  }

  /**
   * Gives every page back and ends this manager. A second close does nothing.
   *
   * <p>Allocations that are still live end with it: they are told to the listener and as one
   * warning, and nothing is thrown for them. Their handles may still be closed, silently; any other
   * use is an error.
   */
  @Override
  public void close() {
    long live = 0;
    lock.lock();
    try {
      if (!open) {
        return;
      }
      open = false;
      live = total.allocations();
      if (live > 0) {
        listening.warnOfLive(live, total.inUse());
      }
      if (events.wanted()) {
        events.add(new MemoryEvent.Closed(live, total.inUse()));
      }
      pools.end();
    } finally {
      unlockAndTell();
      StorageUsers.remove(storage, this);
    }
  }

  /** Checks every equation of the pools and totals; for tests. O(slices). */
  void checkInvariants() {
    lock.lock();
    try {
      pools.checkInvariants(total, requestCount, nextDue);
    } finally {
      lock.unlock();
    }
  }

  /** How many bookkeeping records were looked at to find room; for tests. */
  long visits() {
    lock.lock();
    try {
      return Arrays.stream(pools.pools()).mapToLong(Pool::visits).sum();
    } finally {
      lock.unlock();
    }
  }

  boolean isOpen() {
    return open;
  }

  void checkOpen() {
    if (!open) {
      throw ManagerErrors.managerClosed(name);
    }
  }

  /** Listeners are told outside the lock, so that they may call this manager. */
  private void unlockAndTell() {
    List<MemoryEvent> happened = events.drain();
    lock.unlock();
    listening.tell(happened);
  }

  /** What a manager is opened with. Not safe for many threads. */
  public static final class Builder {

    private final Storage storage;
    private @Nullable MemoryPoolsConfig pools;
    private String name = "unnamed";
    private @Nullable MemoryListener listener;
    private ReentrantLock lock = new ReentrantLock();
    private @Nullable UsageCounter deviceTotal;

    private Builder(Storage storage) {
      this.storage = Objects.requireNonNull(storage, "storage");
    }

    /** The pools; without this, the device's default preset. */
    public Builder pools(MemoryPoolsConfig config) {
      this.pools = Objects.requireNonNull(config, "config");
      return this;
    }

    /** A name for messages. */
    public Builder name(String text) {
      this.name = Objects.requireNonNull(text, "text");
      return this;
    }

    /** Who is told what happens. */
    public Builder listener(MemoryListener who) {
      this.listener = Objects.requireNonNull(who, "who");
      return this;
    }

    /** Counts into a device's totals, under the lock that guards them. */
    Builder partOf(ReentrantLock deviceLock, UsageCounter totals) {
      this.lock = deviceLock;
      this.deviceTotal = totals;
      return this;
    }

    /**
     * Opens the manager.
     *
     * @throws LayoutException if the pools can't work on the device
     */
    public MemoryManager open() {
      DeviceProperties device = storage.properties();
      MemoryPoolsConfig config = pools != null ? pools : PoolLayout.defaultFor(device);
      MemoryManager manager = new MemoryManager(this, PoolLayout.resolve(config, device));
      StorageUsers.add(storage, manager);
      return manager;
    }
  }
}
