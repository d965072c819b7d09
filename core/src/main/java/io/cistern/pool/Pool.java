package io.cistern.pool;

import static io.cistern.page.SliceTable.NONE;

import io.cistern.DeviceMemoryException;
import io.cistern.LiveAllocation;
import io.cistern.layout.ResolvedPool;
import io.cistern.page.Invariant;
import io.cistern.page.SliceTable;
import io.cistern.safety.ByteWatch;
import io.cistern.safety.Quarantine;
import io.cistern.storage.Fence;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageBlock;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A policy that turns requests into slices, and slices into driver blocks.
 *
 * <p>What all pools share is here: counting, zero-sized requests, and giving idle pages back when
 * their period is over or when asked. A pool adds where a slice comes from and what an idle page
 * is.
 *
 * <p>A period counts requests of the whole manager: a page that became free when {@code c} requests
 * had been counted goes back before request {@code c + period + 1} is served. Idle pages stand in a
 * queue in the order in which they became free, so that is a look at its head.
 *
 * <p>Not safe for many threads: a manager's lock stands around it.
 */
public abstract sealed class Pool permits SlicedPool, WholeBlockPool {

  /** Makes the pool that an entry of a layout asks for. */
  public static Pool of(int index, ResolvedPool config, Ground ground) {
    return switch (config) {
      case ResolvedPool.Sliced sliced -> new SlicedPool(index, sliced, ground);
      case ResolvedPool.Exclusive exclusive -> new ExclusivePool(index, exclusive, ground);
      case ResolvedPool.Direct direct -> new DirectPool(index, direct, ground);
    };
  }

  /** The request count at which nothing is ever due. */
  public static final long NEVER = Long.MAX_VALUE;

  private final int index;
  private final ResolvedPool config;
  private final Ground ground;
  private final long granule;
  private final long period;
  private final Driver driver;
  private final UsageCounter usage;
  private final @Nullable SliceWatch watch;
  // By page number; null where there is no page. No page has number 0, which zero-sized slices say.
  // Volatile: a stripe reads it without the lock.
  private volatile @Nullable StorageBlock[] blocks = new StorageBlock[16];

  // By slice; null where there is none.
  private @Nullable SliceNote[] notes = {};

  private long served;
  private long spills;
  private long largestAlloc;

  /**
   * What every pool of a manager stands on.
   *
   * @param storage the device
   * @param granule the device's alignment in bytes
   * @param events where events are kept
   * @param total the manager's totals
   * @param pending the slices of all pools that fences keep out of reach
   * @param dryRun whether pages are made without the driver
   * @param lock the lock around all of this
   * @param requests counts the requests of the manager
   * @param magazines what stands in front of sliced pools
   * @param firstGeneration even, and no handle has been given out with a later one
   * @param bytes what is watched over the bytes of slices; null: nothing
   * @param quarantine where freed slices rest; null: nowhere
   */
  public record Ground(
      Storage storage,
      long granule,
      EventBuffer events,
      UsageCounter total,
      RequestCount requests,
      PendingFrees pending,
      DryRuns dryRun,
      PoolLock lock,
      Magazines magazines,
      int firstGeneration,
      @Nullable ByteWatch bytes,
      @Nullable Quarantine quarantine) {}

  Pool(int index, ResolvedPool config, OptionalLong period, Ground ground) {
    this.index = index;
    this.config = config;
    this.ground = ground;
    this.granule = ground.granule();
    this.period = period.orElse(NEVER);
    this.watch = ground.bytes() == null ? null : new SliceWatch(this, ground.bytes());
    this.usage = new UsageCounter(ground.total());
    this.driver = new Driver(ground, index, usage);
  }

  /** Takes a slice from what the pool holds; {@link SliceTable#NONE} if none fits. */
  abstract int find(long byteSize, long alignment);

  /** Takes a slice of a new page; {@link SliceTable#NONE} if there may be none. */
  abstract int grow(long byteSize, long alignment, long requestCount);

  /** Takes a slice back that was live. */
  abstract void give(int slice, long requestCount);

  /** The page that has been idle longest; 0 if none is idle. */
  abstract int longestIdle();

  /** The page that became idle last; 0 if none is idle. */
  abstract int lastIdle();

  /** The request count at which an idle page became so. */
  abstract long idleSince(int page);

  /** Makes an idle page the one that became so last. */
  abstract void touch(int page, long requestCount);

  /** Forgets an idle page. */
  abstract void forget(int page);

  /** The records of this pool's slices. */
  public abstract SliceTable slices();

  /**
   * The bytes of the largest run that could be given out without growing; of a pool in use, what is
   * on shelves is not looked at.
   */
  public abstract long largestFree();

  /** The bytes of all runs that could be given out without growing. */
  public abstract long freeByteSize();

  /** The pages with what is on them; O(slices). */
  public abstract List<PageSnapshot> pageSnapshots();

  /** Checks what the kind of pool knows; returns the bytes of taken slices. */
  abstract long checkSlices();

  /** How many bookkeeping records this pool has looked at to find room. */
  public abstract long visits();

  /**
   * Serves a request.
   *
   * @param byteSize the request in bytes, accepted by this pool
   * @param alignment what the slice's offset must be a multiple of, a power of two
   * @param requestCount the number of this request in its manager
   * @return the slice, with one handle; {@link SliceTable#NONE} if a capped pool has no room, and
   *     nothing changed
   * @throws DeviceMemoryException if the device refused a page; nothing changed
   */
  public final int allocate(long byteSize, long alignment, long requestCount) {
    long padded = roundUp(byteSize);
    int slice = byteSize > 0 ? take(padded, alignment, requestCount) : slices().makeEmpty();
    if (slice != NONE) {
      slices().own(slice, byteSize, requestCount);
      countAllocated(byteSize, padded - byteSize);
      served++;
      largestAlloc = Math.max(largestAlloc, byteSize);
      watchTaken(slice);
    }
    return slice;
  }

  /** The bytes of a slice are an owner's from now on. */
  final void watchTaken(int slice) {
    if (watch != null) {
      watch.taken(slice);
    }
  }

  private void countAllocated(long byteSize, long padding) {
    if (usage.raisesPeak(byteSize, padding)) {
      ground.lock().stopAll(); // What is lent counts as used, and would make the peak too high.
    }
    usage.allocated(byteSize, padding);
  }

  /** Takes back what is left of a loan, and counts what was done with it. */
  final void recall(Loan loan) {
    usage.recall(loan);
    served += loan.served;
    largestAlloc = Math.max(largestAlloc, loan.largestAlloc);
    loan.served = 0;
    loan.largestAlloc = 0;
  }

  private int take(long byteSize, long alignment, long requestCount) {
    int slice = find(byteSize, alignment);
    if (slice == NONE && ground.pending().poll(PendingFrees.MANY)) {
      slice = find(byteSize, alignment);
    }
    if (slice == NONE) {
      slice = grow(byteSize, alignment, requestCount);
    }
    if (driver.unmapped() > 0 && slice != NONE && !ground.dryRun().isOn()) {
      mapOrPutBack(slice);
    }
    return slice;
  }

  /** A page that a dry run left unmapped is mapped before a normal request may use it. */
  private void mapOrPutBack(int slice) {
    try {
      map(slice);
    } catch (DeviceMemoryException e) {
      putBack(slice);
      throw e;
    }
  }

  /**
   * Gives a slice back, by whatever it became free: if its page is idle now, the page's period
   * begins at an exact count, and its end is watched.
   */
  private void putBack(int slice) {
    if (hasPeriod()) {
      ground.magazines().stopAll();
    }
    give(slice, ground.requests().count());
    ground.requests().watch(nextDue());
  }

  /**
   * Closes a handle on a live slice, and frees the slice if nobody keeps it.
   *
   * @return whether the slice is live no longer
   */
  public final boolean closeHandle(int slice) {
    if (slices().addHandles(slice, -1) > 0) {
      return false;
    }
    if (slices().holds(slice) > 0) {
      usage.pinned(slices().requested(slice));
      return false;
    }
    free(slice);
    return true;
  }

  /** Takes a hold on a live slice: it stays live after its last handle. */
  public final void hold(int slice) {
    slices().addHolds(slice, 1);
  }

  /** Drops a hold on a slice, and frees the slice if nobody keeps it. */
  public final void dropHold(int slice) {
    if (slices().addHolds(slice, -1) == 0 && slices().handles(slice) == 0) {
      usage.pinned(-slices().requested(slice));
      free(slice);
    }
  }

  private void free(int slice) {
    long requested = slices().requested(slice);
    long padded = roundUp(requested);
    usage.released(requested, padded - requested);
    SliceNote note = note(slice);
    if (requested == 0) {
      slices().retireEmpty(slice);
    } else if ((note != null && waits(slice, note)) || rests(slice)) {
      return;
    } else {
      putBack(slice);
    }
    if (note != null) {
      notes[slice] = null;
    }
  }

  /** The bytes of a slice are nobody's; whether they rest before they can be used again. */
  private boolean rests(int slice) {
    if (watch != null) {
      watch.released(slice);
    }
    Quarantine quarantine = ground.quarantine();
    if (quarantine == null) {
      return false;
    }
    SliceNote note = noteOf(slice);
    note.fences.clear();
    note.fences.add(quarantine.rest(roundUp(slices().requested(slice))));
    note.rests = waits(slice, note);
    return note.rests;
  }

  /** Whether a slice has to wait for its fences before it can be used again; it is pending then. */
  private boolean waits(int slice, SliceNote note) {
    note.pending = ground.pending().add(this, slice, note.fences);
    if (note.pending == null) {
      return false;
    }
    usage.pending(roundUp(slices().requested(slice)));
    return true;
  }

  /** Frees a slice that waited for fences. */
  final void freePending(int slice) {
    usage.pending(-roundUp(slices().requested(slice)));
    SliceNote note = note(slice);
    if (note != null && !note.rests && rests(slice)) {
      return;
    }
    notes[slice] = null;
    putBack(slice);
  }

  /** Makes a slice that is pending live again, held and without a handle. */
  final void holdPending(int slice, SliceNote note, PendingFrees.Entry entry) {
    note.fences.clear();
    List<Fence> left = entry.cancel();
    if (note.rests) {
      note.rests = false; // What it waits for is no work on it.
      watchTaken(slice);
    } else {
      note.fences.addAll(left);
    }
    note.pending = null;
    usage.pending(-roundUp(slices().requested(slice)));
    holdAlone(slice);
  }

  /** Counts a slice that just became live as held and without a handle. */
  final void holdAlone(int slice) {
    long requested = slices().requested(slice);
    slices().addHolds(slice, 1);
    countAllocated(requested, roundUp(requested) - requested);
    usage.pinned(requested);
  }

  final @Nullable SliceNote note(int slice) {
    return slice < notes.length ? notes[slice] : null;
  }

  private SliceNote noteOf(int slice) {
    if (slice >= notes.length) {
      notes = Arrays.copyOf(notes, Math.max(slice + 1, notes.length * 2));
    }
    SliceNote note = notes[slice];
    if (note == null) {
      note = new SliceNote();
      notes[slice] = note;
    }
    return note;
  }

  /** Notes what a live slice was tagged with and where it was asked for. */
  public final void describe(int slice, String tag, String place) {
    SliceNote note = noteOf(slice);
    note.tag = tag;
    note.place = place;
  }

  /** Keeps a live slice out of reach, once it is closed, until a fence has passed. */
  public final void usedUntil(int slice, Fence fence) {
    noteOf(slice).addFence(fence);
  }

  /**
   * An allocation with the number of its request.
   *
   * @param serial the number of its request in its manager
   * @param allocation what is known of it
   */
  public record Live(long serial, LiveAllocation allocation) {}

  /** The live allocations in no order. O(slices). */
  public final Stream<Live> live() {
    return slices().live().mapToObj(slice -> new Live(slices().serial(slice), owner(slice)));
  }

  final LiveAllocation owner(int slice) {
    SliceNote note = note(slice);
    return new LiveAllocation(
        slices().requested(slice),
        index,
        note == null ? "" : note.tag,
        note == null ? "" : note.place);
  }

  /** The slices whose bytes are somebody's: live, or in use by device work. O(slices). */
  final IntStream owned() {
    return IntStream.concat(
        slices().live(), IntStream.range(0, notes.length).filter(this::isUsedByWork));
  }

  private boolean isUsedByWork(int slice) {
    SliceNote note = notes[slice];
    return note != null && note.pending != null && !note.rests;
  }

  /** The device's alignment in bytes. */
  final long granule() {
    return granule;
  }

  /** What a request takes, in bytes. */
  final long roundUp(long byteSize) {
    return (byteSize + granule - 1) & -granule;
  }

  /** The driver's block that a live slice is on; null if it is zero-sized, or not mapped yet. */
  public final @Nullable StorageBlock block(int slice) {
    StorageBlock block = blocks[slices().page(slice)];
    return block instanceof UnmappedBlock ? null : block;
  }

  /**
   * The driver's block that a live slice is on, asked for now if it is not mapped yet.
   *
   * @throws DeviceMemoryException if the device refuses; nothing changed
   */
  public final StorageBlock map(int slice) {
    int number = slices().page(slice);
    StorageBlock block = Objects.requireNonNull(blocks[number], "a zero-sized slice has no page");
    if (block instanceof UnmappedBlock unmapped) {
      block = driver.map(unmapped);
      blocks[number] = block;
      if (watch != null) {
        watch.mapped(number, block);
      }
    }
    return block;
  }

  /** Asks for a block. */
  final StorageBlock makeBlock(long byteSize) {
    return driver.make(byteSize);
  }

  /** Makes a block a page of this pool. */
  final void file(int number, StorageBlock block) {
    @Nullable StorageBlock[] all = blocks;
    if (number >= all.length) {
      all = Arrays.copyOf(all, Math.max(number + 1, all.length * 2));
    }
    all[number] = block;
    blocks = all;
  }

  /** Gives an idle page back; if the device does not take it, the page waits anew. */
  private void giveBack(int number, long requestCount) {
    StorageBlock block = Objects.requireNonNull(blocks[number], "not a page");
    if (watch != null) {
      watch.goes(block);
    }
    if (driver.giveBack(block)) {
      forget(number);
      blocks[number] = null;
    } else {
      touch(number, requestCount);
    }
  }

  /** The request count before which an idle page has to go back; {@link #NEVER} if none has to. */
  public final long nextDue() {
    int page = longestIdle();
    if (page == 0 || period == NEVER) {
      return NEVER;
    }
    long due = idleSince(page) + period + 1;
    return due < 0 ? NEVER : due;
  }

  /** Gives back the pages whose period is over. */
  public final void giveBackDue(long requestCount) {
    while (nextDue() <= requestCount) {
      // A page that the device does not take starts its period anew, so this ends.
      giveBack(longestIdle(), requestCount);
    }
  }

  /** Gives back all idle pages that the device takes. */
  public final void giveBackIdle(long requestCount) {
    giveBackIdleWhile(() -> true, requestCount);
  }

  /** Gives back idle pages that the device takes, longest idle first, for as long as is wanted. */
  final void giveBackIdleWhile(BooleanSupplier wanted, long requestCount) {
    int last = lastIdle();
    for (int page = longestIdle(); page != 0 && wanted.getAsBoolean(); page = longestIdle()) {
      giveBack(page, requestCount);
      if (page == last) {
        return; // Those that are left are the ones that the device did not take.
      }
    }
  }

  /**
   * Gives back every page that the device takes, whatever is on it; the pool is not used again. The
   * totals above forget what was live.
   */
  public final void end() {
    if (watch != null) {
      watch.end(blocks);
    }
    for (StorageBlock block : blocks) {
      if (block != null) {
        driver.abandon(block);
      }
    }
    usage.forgetLive();
  }

  /** Counts a request that went on to a later pool because this one is full. */
  public final boolean countSpill() {
    spills++;
    return spills == 1;
  }

  /** Checks the equations of this pool. O(slices). */
  public final void checkInvariants() {
    long inPages = 0;
    long held = 0;
    for (StorageBlock block : blocks) {
      if (block != null) {
        inPages += block.byteSize();
        held++;
      }
    }
    Invariant.check(usage.reserved() == inPages, "pool", index, ": reserved", inPages);
    Invariant.check(driver.blocks() == held, "pool", index, ": holds", held, "pages");
    Invariant.check(driver.blocksPeak() >= held, "pool", index, ": peak of pages");
    long taken = checkSlices();
    long live = slices().live().mapToLong(slice -> roundUp(slices().requested(slice))).sum();
    Invariant.check(live == usage.inUse() + usage.padding(), "pool", index, ": live bytes", live);
    Invariant.check(live + usage.pending() <= taken, "pool", index, ": in use within", taken);
    Invariant.check(live().count() == usage.allocations(), "pool", index, ": live slices");
    usage.checkInvariants();
  }

  /** Whether idle pages go back by themselves. */
  private boolean hasPeriod() {
    return period != NEVER;
  }

  /** The place in routing order. */
  public final int index() {
    return index;
  }

  /** The pool's entry in the layout. */
  public final ResolvedPool config() {
    return config;
  }

  /** What the pool's memory is used for. */
  public final UsageCounter usage() {
    return usage;
  }

  /** The marks since the layout was installed. */
  public final PoolMarks marks() {
    return new PoolMarks(
        driver.blocks(),
        driver.blocksPeak(),
        driver.unmapped(),
        largestAlloc,
        served,
        spills,
        driver.allocations(),
        driver.frees());
  }
}
