package io.cistern.manager;

import io.cistern.AllocationException;
import io.cistern.DeviceMemoryException;
import io.cistern.LeakSite;
import io.cistern.LiveAllocation;
import io.cistern.MemoryFault;
import io.cistern.MemorySize;
import io.cistern.MemoryUsage;
import io.cistern.PoolsInUseException;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.PersistentMemory;
import io.cistern.config.SafetyOptions;
import io.cistern.layout.LayoutException;
import io.cistern.layout.PoolLayout;
import io.cistern.pool.EventBuffer;
import io.cistern.pool.Magazines;
import io.cistern.pool.PendingFrees;
import io.cistern.pool.PersistentPool;
import io.cistern.pool.Place;
import io.cistern.pool.Pool;
import io.cistern.pool.PoolLock;
import io.cistern.pool.RequestCount;
import io.cistern.pool.RoutingTable;
import io.cistern.pool.Stripe;
import io.cistern.pool.UsageCounter;
import io.cistern.safety.ByteWatch;
import io.cistern.safety.Quarantine;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.MemoryEvent;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageBlock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A layout at work on a storage: one order of device work (a stream).
 *
 * <p>A request is served by the first pool of the layout that accepts its size. A full capped pool
 * passes it on to the next that accepts. What nobody can serve is refused with an {@link
 * AllocationException} that says what was asked and what was possible.
 *
 * <p>Safe for many threads: one lock stands around the pools, and in front of it are {@linkplain
 * Magazines magazines} of small slices, by which most requests and closes need no lock. Where one
 * thread works, the same calls give the same places, every time; where several do, the places
 * depend on how they take turns. A {@linkplain MemoryManagerBuilder#confined confined} manager has
 * neither lock nor magazines.
 */
public final class MemoryManager implements AutoCloseable {

  private final String name;
  private final Storage storage;
  private final DeviceProperties device;
  private final Listening listening;
  private final EventBuffer events;
  private final FaultLog faults;
  private final UsageCounter total;
  private final Duration maxWait;
  private final boolean tracksPlaces;

  // What is watched; each null, or 0, where nothing of its kind is.
  private final @Nullable ByteWatch bytes;
  private final @Nullable Quarantine quarantine;
  private final @Nullable HandleWatches watches;
  private final long redZone;

  // The one lock around pools, counters and events; managers of one device memory share it.
  private final PoolLock lock;
  private final Magazines magazines;

  // Whether each request may go by unseen. What else the magazines wait for changes over time.
  private final boolean maySkipLock;

  // Guarded by lock (open and pools are read without it).
  private final Windows windows;
  private final PendingFrees pending = new PendingFrees();
  private final RequestCount requests = new RequestCount();
  private volatile PoolSet pools;
  private boolean ending;
  private volatile boolean open = true;

  MemoryManager(MemoryManagerBuilder builder, PoolLayout layout) {
    this.name = builder.name;
    this.storage = builder.storage;
    this.device = layout.device();
    this.maxWait = builder.maxWait;
    this.tracksPlaces = builder.tracksPlaces;
    this.listening = new Listening(name, builder.listener);
    this.events = listening.newBuffer();
    this.faults = new FaultLog(events);
    this.lock = builder.lockOrNew();
    this.windows = new Windows(builder.persistent);
    this.total = new UsageCounter(builder.deviceTotal);
    this.magazines = new Magazines(lock, requests, device.byteAlignment());
    SafetyOptions safety = builder.safety();
    this.bytes = safety.touchesBytes() ? new ByteWatch(safety, faults) : null;
    this.quarantine =
        safety.quarantine().bytes() > 0 ? new Quarantine(safety.quarantine().bytes()) : null;
    this.watches =
        safety.check() || safety.leaks() > 0
            ? new HandleWatches(this, safety, lock.isConfined())
            : null;
    this.redZone = safety.redZones().bytes();
    this.maySkipLock =
        !lock.isConfined()
            && !tracksPlaces
            && bytes == null
            && quarantine == null
            && !events.requestsWanted()
            && builder.persistent != PersistentMemory.SIZE_MATCH;
    lock.lock();
    try {
      magazines.join();
      this.pools = new PoolSet(layout, ground(0), new PersistentPool(ground(0)));
      pools.stock(magazines);
    } finally {
      unlockAndTell();
    }
  }

  private Pool.Ground ground(int firstGeneration) {
    return new Pool.Ground(
        storage,
        device.byteAlignment(),
        events,
        total,
        requests,
        pending,
        windows.dryRuns(),
        lock,
        magazines,
        firstGeneration,
        bytes,
        quarantine);
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
  public static MemoryManagerBuilder builder(Storage storage) {
    return new MemoryManagerBuilder(storage);
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
    return allocate(byteSize, 1, "");
  }

  /** Serves a request; returns its {@link Place}. */
  long allocatePlace(long byteSize, long byteAlignment, String tag) {
    if (maySkipLock && byteAlignment == 1 && tag.isEmpty()) {
      long place = allocateQuickly(byteSize);
      if (place != Place.NONE) {
        return place;
      }
    }
    return allocateLocked(byteSize, byteAlignment, tag);
  }

  /** Serves a request from a magazine, without the lock; {@link Place#NONE} if that can't be. */
  private long allocateQuickly(long byteSize) {
    Stripe stripe = magazines.enter();
    if (stripe == null) {
      return Place.NONE;
    }
    try {
      return stripe.take(byteSize);
    } finally {
      stripe.leave();
    }
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
    return allocate(byteSize, byteAlignment, "");
  }

  /**
   * As {@link #allocate(long)}, with a tag by which reports and errors name the allocation.
   *
   * @param byteSize the size in bytes, at least 0
   * @param tag a word for what it is used for
   * @throws AllocationException if the memory can't be had; every total is what it was
   * @throws IllegalArgumentException if the size is negative
   * @throws IllegalStateException if this manager is closed
   */
  public Allocation allocate(long byteSize, String tag) {
    return allocate(byteSize, 1, tag);
  }

  /**
   * As {@link #allocate(long, long)}, with a tag by which reports and errors name the allocation.
   *
   * @param byteSize the size in bytes, at least 0
   * @param byteAlignment as for {@link #allocate(long, long)}
   * @param tag a word for what it is used for; empty: none
   * @throws AllocationException if the memory can't be had; every total is what it was
   * @throws IllegalArgumentException if the size is negative, or the alignment is no power of two
   *     or above the device's block alignment
   * @throws IllegalStateException if this manager is closed
   */
  public Allocation allocate(long byteSize, long byteAlignment, String tag) {
    Objects.requireNonNull(tag, "tag");
    long place = allocatePlace(byteSize, byteAlignment, tag);
    boolean sole = tag.isEmpty() && !tracksPlaces;
    return handle(pool(Place.pool(place)), Place.slice(place), sole);
  }

  /** Makes a handle on a live slice; the arguments are an allocation's. */
  Allocation handle(Pool pool, int slice, boolean sole) {
    return watches == null
        ? new Allocation(this, pool, slice, sole)
        : watches.handle(pool, slice, sole);
  }

  /** The bytes of a slice that its owner may use: all but its red zone. */
  long usable(Pool pool, int slice) {
    return Math.max(0, pool.slices().requested(slice) - redZone);
  }

  /** Serves a request from the pools; returns its {@link Place}. */
  private long allocateLocked(long asked, long byteAlignment, String tag) {
    checkRequest(asked, byteAlignment);
    long byteSize = withRedZone(asked);
    PoolSet.Refusal refusal;
    lock.lock();
    try {
      checkTakesRequests();
      magazines.settleOwn();
      requests.next();
      if (requests.mayBeDue() && !windows.capturing()) {
        magazines.stopAll();
        giveBackDue();
      }
      pending.poll(PendingFrees.FEW);
      return serve(byteSize, byteAlignment, tag, RoutingTable.NO_POOL);
    } catch (PoolSet.Refusal e) {
      refusal = e;
    } finally {
      unlockAndTell();
    }
    return new SlowPath(this, byteSize, byteAlignment, tag).serve(refusal);
  }

  private long withRedZone(long byteSize) {
    // What can't be added up is refused, as any size is that nobody accepts.
    return byteSize == 0 ? 0 : byteSize + Math.min(redZone, Long.MAX_VALUE - byteSize);
  }

  /** All stripes are stopped. */
  private void giveBackDue() {
    pools.giveBackDue(requests.count());
    requests.nextDue(pools.nextDue());
  }

  /** The windows are in force again; pages that became due meanwhile go back. Under the lock. */
  void captureEnded() {
    windows.capture(null);
    giveBackDue();
    holdsDropped();
  }

  /** What a capture held may be free now. Under the lock. */
  void holdsDropped() {
    if (ending) {
      finishEnding();
    }
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

  private long serve(long byteSize, long byteAlignment, String tag, int lastSpilled)
      throws PoolSet.Refusal {
    long place;
    try {
      place =
          windows.persistent() || (windows.sizeMatch() && pools.hasPersistentBucket(byteSize))
              ? pools.servePersistent(byteSize, byteAlignment, requests.count())
              : pools.serve(byteSize, byteAlignment, requests.count(), lastSpilled);
    } catch (AllocationException e) {
      noteRefused(byteSize, e);
      throw e;
    }
    Capture capture = windows.capture();
    if (capture != null && byteSize > 0) {
      capture.record(Place.slice(place));
    }
    if (!tag.isEmpty() || tracksPlaces) {
      String caller = tracksPlaces ? Places.caller() : "";
      pool(Place.pool(place)).describe(Place.slice(place), tag, caller);
    }
    if (events.requestsWanted()) {
      events.add(new MemoryEvent.Served(Place.pool(place), byteSize));
    }
    return place;
  }

  /**
   * Searches once more for a request that is counted already.
   *
   * @param lastSpilled as for {@link PoolSet#serve}
   * @return the {@link Place}
   */
  long serveAgain(long byteSize, long byteAlignment, String tag, int lastSpilled)
      throws PoolSet.Refusal {
    lock.lock();
    try {
      checkTakesRequests();
      return serve(byteSize, byteAlignment, tag, lastSpilled);
    } finally {
      unlockAndTell();
    }
  }

  /** Ends the rest of freed slices; whether one can be used again now. */
  boolean endQuarantine() {
    return quarantine != null
        && locked(
            () -> {
              quarantine.endAll();
              return pending.poll(PendingFrees.ALL);
            });
  }

  /** Cleans up all managers of the same device; no lock is held. */
  void cleanUpDevice() {
    StorageUsers.trimAll(storage);
  }

  Duration maxWait() {
    return maxWait;
  }

  /** What a request gets that is refused for good; told. */
  AllocationException refuse(PoolSet.Refusal refusal, long byteSize, Duration waited) {
    return locked(
        () -> {
          checkOpen();
          AllocationException error = pools.explain(refusal, byteSize, total, waited);
          noteRefused(byteSize, error);
          return error;
        });
  }

  /** Waits until a pending slice of some pools is freed; false if that can't be waited for. */
  boolean awaitFree(FenceWait wait, Predicate<Pool> keeper) {
    while (wait.forOne(() -> locked(() -> pending.next(keeper)))) {
      if (locked(() -> pending.poll(PendingFrees.ALL))) {
        return true;
      }
    }
    return false;
  }

  private void noteRefused(long byteSize, AllocationException error) {
    if (events.wanted()) {
      events.add(new MemoryEvent.Refused(byteSize, error));
    }
  }

  /**
   * Enters the home of a slice, in which this thread alone decides over its handles; null if only
   * the lock will do.
   */
  @Nullable Stripe enterHome(Pool pool, int slice) {
    return magazines.enterHome(pool.slices(), slice);
  }

  /** Locks, so that this thread alone decides over the handles of a slice. */
  void lockWithHome(Pool pool, int slice) {
    lock.lock();
    magazines.stopHome(pool.slices(), slice);
  }

  /** Takes a handle on a slice back, which was open; locked with the slice's home. */
  void release(Pool pool, int slice) {
    if (!open) {
      return;
    }
    long byteSize = pool.slices().requested(slice);
    boolean ended = pool.closeHandle(slice);
    if (ended && events.requestsWanted()) {
      events.add(new MemoryEvent.Released(pool.index(), byteSize));
    }
    if (ending) {
      finishEnding();
    }
  }

  /** Works on a live allocation, under the lock; nobody closes it meanwhile. */
  <T> T withLive(Allocation allocation, Supplier<T> work) {
    lockWithHome(allocation.servedBy(), allocation.slice());
    try {
      allocation.checkAlive();
      return work.get();
    } finally {
      unlockAndTell();
    }
  }

  /** The block of a live allocation whose page may not be mapped yet. */
  StorageBlock map(Allocation allocation) {
    return withLive(allocation, () -> allocation.servedBy().map(allocation.slice()));
  }

  /** Does something under the lock, with every number exact, and tells what happened. */
  <T extends @Nullable Object> T locked(Supplier<T> work) {
    lock.lockExact();
    try {
      return work.get();
    } finally {
      unlockAndTell();
    }
  }

  void locked(Runnable work) {
    lock.lockExact();
    try {
      work.run();
    } finally {
      unlockAndTell();
    }
  }

  /** Under the lock. */
  Windows windows() {
    return windows;
  }

  /**
   * Opens a window in which requests are served by the persistent pool, unless persistent memory is
   * disabled.
   *
   * @throws IllegalStateException if this manager is closed
   */
  public PersistentWindow openPersistentWindow() {
    return locked(
        () -> {
          checkOpen();
          windows.addPersistent(1);
          return new PersistentWindow(this);
        });
  }

  /**
   * Opens a dry run, in which pages cost no memory.
   *
   * @throws IllegalStateException if this manager is closed
   */
  public DryRun openDryRun() {
    return locked(
        () -> {
          checkOpen();
          windows.dryRuns().begin();
          return new DryRun(this);
        });
  }

  /**
   * Begins a capture of device work.
   *
   * @return the capture; the one under way, if there is one
   * @throws IllegalStateException if this manager is closed
   */
  public Capture beginCapture() {
    return locked(
        () -> {
          checkOpen();
          Capture underWay = windows.capture();
          Capture capture = underWay != null ? underWay : new Capture(this, pools.persistent());
          windows.capture(capture);
          return capture;
        });
  }

  /**
   * Gives all free memory back to the driver: an explicit cleanup. O(pages given back).
   *
   * <p>A page that the driver does not take now stays in its pool, to be given back later. During a
   * capture nothing goes back.
   *
   * @return how much went back
   * @throws IllegalStateException if this manager is closed
   */
  public MemorySize trim() {
    return locked(
        () -> {
          checkOpen();
          return MemorySize.of(cleanUp());
        });
  }

  void trimIfOpen() {
    locked(
        () -> {
          if (open) {
            cleanUp();
          }
        });
  }

  private long cleanUp() {
    if (windows.capturing()) {
      return 0;
    }
    pending.poll(PendingFrees.ALL);
    magazines.drainAll(pools.pools());
    long before = total.reserved();
    pools.giveBackIdle(requests.count());
    requests.nextDue(pools.nextDue());
    long givenBack = before - total.reserved();
    if (events.wanted()) {
      events.add(new MemoryEvent.CleanedUp(givenBack));
    }
    return givenBack;
  }

  /**
   * Puts another layout in force: waits for pending frees, cleans up, then swaps. Peaks and other
   * marks start afresh. The persistent pool stays as it is.
   *
   * @throws LayoutException if the pools can't work on the device; nothing is disturbed
   * @throws PoolsInUseException if allocations of the layout in force are live or pending,
   *     zero-sized ones included; nothing is disturbed
   * @throws DeviceMemoryException if the device did not take a page back; the layout stays
   * @throws IllegalStateException if this manager is closed, or a capture is under way
   */
  public void install(MemoryPoolsConfig config) {
    PoolLayout layout = PoolLayout.resolve(config, device);
    awaitPending(pool -> pool.index() >= 0);
    locked(
        () -> {
          checkInstall();
          swap(layout);
        });
  }

  /** Waits until no slice of some pools is pending, as long as it may. */
  void awaitPending(Predicate<Pool> keeper) {
    endQuarantine();
    FenceWait wait = new FenceWait(maxWait);
    while (awaitFree(wait, keeper)) {
      // On to the next.
    }
  }

  /** Checks that another layout may be put in force now. Under the lock. */
  void checkInstall() {
    checkOpen();
    if (windows.capturing()) {
      throw ManagerErrors.installInCapture();
    }
    if (pools.allocations() > 0 || pools.pending() > 0) {
      throw new PoolsInUseException(pools.allocations(), pools.inUse(), pools.pending());
    }
  }

  /** Puts a layout in force that may be. Under the lock. */
  void swap(PoolLayout layout) {
    cleanUp();
    if (pools.reserved() > 0) {
      throw ManagerErrors.pagesKept(pools.reserved());
    }
    pools = new PoolSet(layout, ground(pools.lastGeneration()), pools.persistent());
    pools.stock(magazines);
    total.resetPeaks();
    requests.nextDue(pools.nextDue());
    if (events.wanted()) {
      events.add(new MemoryEvent.Installed(layout.config()));
    }
  }

  /** The layout in force. */
  public PoolLayout layout() {
    return locked(() -> pools.layout());
  }

  /** What all pools together hold at this moment. O(1). */
  public MemoryUsage usage() {
    return locked(() -> total.toUsage());
  }

  /** What each pool holds and has done since the layout was installed. O(pools). */
  public MemoryReport report() {
    return locked(() -> Reports.of(pools, total));
  }

  /**
   * The pages of a pool. O(slices of the pool).
   *
   * @param pool the pool's index in routing order
   * @throws IndexOutOfBoundsException if there is no such pool
   */
  public List<MemoryReport.PageReport> pages(int pool) {
    return locked(
        () -> Reports.ofPages(pools.pools()[Objects.checkIndex(pool, pools.pools().length)]));
  }

  /**
   * The allocations of this manager as {@code long} numbers: the way for code that can't afford an
   * object for each. What most programs want is {@link #allocate(long)}.
   */
  public Handles handles() {
    return new Handles(this);
  }

  /** A pool by its index, which there is. */
  Pool pool(int index) {
    return pools.pool(index);
  }

  boolean hasPool(int index) {
    return pools.hasPool(index);
  }

  /** The name that was given when this was opened. */
  public String name() {
    return name;
  }

  /**
   * Gives every page back and ends this manager. A second close does nothing.
   *
   * <p>Waits for pending frees first, as long as a request would. Allocations that are still live
   * end with it: they are told to the listener and as one warning, and nothing is thrown for them.
   * Their handles may still be closed, silently; any other use is an error.
   */
  @Override
  public void close() {
    if (open) {
      awaitPending(_ -> true);
    }
    locked(this::endNow);
  }

  /** Ends this manager. Under the lock. */
  private void endNow() {
    if (!open) {
      return;
    }
    open = false;
    if (watches != null) {
      listening.warnOfSites(watches.sites());
      watches.endAll();
    }
    List<LiveAllocation> live = pools.live().map(Pool.Live::allocation).toList();
    if (!live.isEmpty()) {
      listening.warnOfLive(live, total.inUse());
    }
    if (events.wanted()) {
      events.add(new MemoryEvent.Closed(live.size(), total.inUse(), live));
    }
    magazines.end(pools.pools());
    pools.end();
    StorageUsers.remove(storage, this);
  }

  /**
   * Ends this manager when it has no page any more; until then it serves nothing and gives back
   * each page as it becomes free.
   */
  void end() {
    locked(
        () -> {
          ending = true;
          magazines.end(pools.pools());
          finishEnding();
        });
  }

  /** Goes on with the end, if it has begun; whether it has come. */
  boolean isEnded() {
    return locked(
        () -> {
          if (ending) {
            finishEnding();
          }
          return !open;
        });
  }

  private void finishEnding() {
    if (!open) {
      return;
    }
    if (quarantine != null) {
      quarantine.endAll();
    }
    pending.poll(PendingFrees.ALL);
    if (!windows.capturing()) {
      pools.giveBackIdle(requests.count());
    }
    // A page that the driver does not take now is still this manager's: it tries again later.
    if (total.allocations() == 0 && total.reserved() == 0) {
      endNow();
    }
  }

  /**
   * The handles that are watched for leaks and open, by the calls that made them, largest first; of
   * a sample only, unless each is watched. Nothing where none is watched, or after the close.
   * O(watched handles).
   *
   * @see SafetyOptions#leaks
   */
  public List<LeakSite> leaks() {
    return watches == null ? List.of() : watches.sites();
  }

  /**
   * The first {@value FaultLog#KEPT} writes that were found where nobody may write, oldest first;
   * of a manager that is closed too. Nothing where bytes are not watched.
   *
   * @see SafetyOptions#poison
   * @see SafetyOptions#redZones
   */
  public List<MemoryFault> faults() {
    return locked(faults::toList);
  }

  /** Tells of a handle that nobody can close any more; on a thread of its own. */
  void tellLost(LeakSite site) {
    listening.tell(List.of(new MemoryEvent.HandleLost(site)));
  }

  /**
   * Checks that this thread may call this.
   *
   * @throws WrongThreadException if it is confined to another thread
   */
  void checkThread() {
    lock.checkThread();
  }

  /** Checks every equation of the pools and totals; for tests. O(slices). */
  void checkInvariants() {
    locked(() -> pools.checkInvariants(total, requests, windows.capturing()));
  }

  /** How many bookkeeping records were looked at to find room; for tests. */
  long visits() {
    return locked(() -> Arrays.stream(pools.pools()).mapToLong(Pool::visits).sum());
  }

  boolean isOpen() {
    return open;
  }

  void checkOpen() {
    if (!open) {
      throw ManagerErrors.managerClosed(name);
    }
  }

  private void checkTakesRequests() {
    checkOpen();
    if (ending) {
      throw ManagerErrors.managerEnding(name);
    }
  }

  boolean isCapturing() {
    return locked(windows::capturing);
  }

  /** Tells what happened under a lock that was taken elsewhere. */
  void tell() {
    locked(() -> {});
  }

  /** Whether a thread may call this. */
  boolean admits(Thread thread) {
    return lock.admits(thread);
  }

  /** Listeners are told outside the lock, so that they may call this manager. */
  void unlockAndTell() {
    magazines.run(maySkipLock && open && !ending && pending.isEmpty() && windows.areNone());
    List<MemoryEvent> happened = events.drain();
    lock.unlock();
    listening.tell(happened);
  }
}
