package io.cistern.pool;

import static io.cistern.page.SliceTable.NONE;

import io.cistern.DeviceMemoryException;
import io.cistern.layout.ResolvedPool;
import io.cistern.page.Invariant;
import io.cistern.page.SliceTable;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageBlock;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
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

  /** What {@link #allocate} returns when a capped pool has no room. */
  public static final int FULL = -1;

  /** The request count at which nothing is ever due. */
  public static final long NEVER = Long.MAX_VALUE;

  private final int index;
  private final ResolvedPool config;
  private final long granule;
  private final long period;
  private final Driver driver;
  private final UsageCounter usage;
  // By page number; null where there is no page. Zero-sized slices have none.
  private @Nullable StorageBlock[] blocks = new StorageBlock[16];
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
   */
  public record Ground(Storage storage, long granule, EventBuffer events, UsageCounter total) {}

  Pool(int index, ResolvedPool config, OptionalLong period, Ground ground) {
    this.index = index;
    this.config = config;
    this.granule = ground.granule();
    this.period = period.orElse(NEVER);
    this.usage = new UsageCounter(ground.total());
    this.driver = new Driver(ground.storage(), ground.events(), index, usage);
  }

  /** Takes a slice from what the pool holds, or grows; {@link SliceTable#NONE} if it may not. */
  abstract int take(long byteSize, long alignment, long requestCount);

  /** Takes a live slice back. */
  abstract void give(int slice, long requestCount);

  /** The page number of a live slice. */
  abstract int pageNumber(int slice);

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

  /** The bytes of the largest run that could be given out without growing. */
  public abstract long largestFree();

  /** The bytes of all runs that could be given out without growing. */
  public abstract long freeByteSize();

  /** The pages with what is on them; O(slices). */
  public abstract List<PageSnapshot> pageSnapshots();

  /** Checks what the kind of pool knows; returns the bytes of live slices, padding included. */
  abstract long checkSlices();

  /** How many bookkeeping records this pool has looked at to find room. */
  public abstract long visits();

  /**
   * Serves a request.
   *
   * @param byteSize the request in bytes, accepted by this pool
   * @param alignment what the slice's offset must be a multiple of, a power of two
   * @param requestCount the number of this request in its manager
   * @return the slice; {@link SliceTable#NONE} for a zero-sized request; {@link #FULL} if a capped
   *     pool has no room, and nothing changed
   * @throws DeviceMemoryException if the device refused a page; nothing changed
   */
  public final int allocate(long byteSize, long alignment, long requestCount) {
    int slice = NONE;
    long padding = 0;
    if (byteSize > 0) {
      long padded = roundUp(byteSize);
      slice = take(padded, alignment, requestCount);
      if (slice == NONE) {
        return FULL;
      }
      padding = padded - byteSize;
    }
    usage.allocated(byteSize, padding);
    served++;
    largestAlloc = Math.max(largestAlloc, byteSize);
    return slice;
  }

  /**
   * Frees a slice.
   *
   * @param slice a live slice, or {@link SliceTable#NONE} for a zero-sized one
   * @param byteSize its size as it was asked for
   */
  public final void release(int slice, long byteSize, long requestCount) {
    if (slice != NONE) {
      give(slice, requestCount);
    }
    usage.released(byteSize, roundUp(byteSize) - byteSize);
  }

  /** The device's alignment in bytes. */
  final long granule() {
    return granule;
  }

  private long roundUp(long byteSize) {
    return (byteSize + granule - 1) & -granule;
  }

  /** The driver's block that a live slice is on; null for a zero-sized one, which needs none. */
  public final @Nullable StorageBlock block(int slice) {
    return slice == NONE ? null : blocks[pageNumber(slice)];
  }

  /** Asks the driver for a block. */
  final StorageBlock makeBlock(long byteSize) {
    return driver.make(byteSize);
  }

  /** Makes a block a page of this pool. */
  final void file(int number, StorageBlock block) {
    if (number >= blocks.length) {
      blocks = Arrays.copyOf(blocks, Math.max(number + 1, blocks.length * 2));
    }
    blocks[number] = block;
  }

  /** Gives an idle page back; if the device does not take it, the page waits anew. */
  private void giveBack(int number, long requestCount) {
    if (driver.giveBack(Objects.requireNonNull(blocks[number], "not a page"))) {
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
    long live = checkSlices();
    Invariant.check(
        live == usage.inUse() + usage.padding() || config instanceof ResolvedPool.Exclusive,
        "pool",
        index,
        ": live bytes",
        live);
    Invariant.check(
        usage.inUse() + usage.padding() <= live, "pool", index, ": in use within", live);
    usage.checkInvariants();
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
        largestAlloc,
        served,
        spills,
        driver.allocations(),
        driver.frees());
  }
}
