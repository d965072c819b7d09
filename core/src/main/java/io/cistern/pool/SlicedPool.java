package io.cistern.pool;

import static io.cistern.page.SliceTable.NONE;

import io.cistern.layout.ResolvedPool;
import io.cistern.page.Invariant;
import io.cistern.page.SliceTable;
import io.cistern.page.SlicedPages;
import io.cistern.storage.StorageBlock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Slices of larger pages; grows a page at a time, up to its cap if it has one.
 *
 * <p>Small sizes pass through {@link Magazines}. A slice from there is as large as its size class;
 * what its request does not need counts as free. Where no such slice can be cut, one of the
 * request's own size serves, so that a page is filled to its end.
 */
public final class SlicedPool extends Pool {

  private final SlicedPages pages;
  private final Magazines magazines;
  private final long pageByteSize;
  private final long maxPages;

  // Page numbers count from 1; those in use are 1 .. highest but for the ones on this stack.
  private final ArrayList<Integer> spareNumbers = new ArrayList<>();
  private int highestNumber;

  SlicedPool(int index, ResolvedPool.Sliced config, Ground ground) {
    super(index, config, config.deallocPeriod(), ground);
    this.magazines = ground.magazines();
    this.pageByteSize = config.pageByteSize();
    this.maxPages = config.maxPages().orElse(Integer.MAX_VALUE);
    this.pages = new SlicedPages(pageByteSize, ground.granule(), ground.firstGeneration());
  }

  @Override
  int find(long byteSize, long alignment) {
    int slice = findOnce(byteSize, alignment);
    return slice == NONE && magazines.drain(this) ? findOnce(byteSize, alignment) : slice;
  }

  private int findOnce(long byteSize, long alignment) {
    Shelf shelf = shelf(byteSize, alignment);
    int slice = shelf == null ? NONE : takeFrom(shelf);
    return slice == NONE ? takeHomeless(byteSize, alignment) : slice;
  }

  private int takeHomeless(long byteSize, long alignment) {
    int slice = pages.take(byteSize, alignment);
    if (slice != NONE) {
      slices().setHome(slice, Magazines.NO_HOME);
    }
    return slice;
  }

  private @Nullable Shelf shelf(long byteSize, long alignment) {
    return alignment <= granule() ? magazines.shelf(this, byteSize) : null;
  }

  private int takeFrom(Shelf shelf) {
    if (!shelf.isEmpty()) {
      return shelf.pop();
    }
    int slice = pages.take(shelf.byteSize(), granule());
    if (slice != NONE) {
      slices().setHome(slice, shelf.home());
      refill(shelf);
    }
    return slice;
  }

  /** Cuts more slices of a size that was just asked for, from pages in use. */
  private void refill(Shelf shelf) {
    for (int more = shelf.nextBatch() - 1; more > 0; more--) {
      int slice = pages.takeFromUsed(shelf.byteSize(), granule());
      if (slice == NONE) {
        break;
      }
      slices().setHome(slice, shelf.home());
      slices().disown(slice);
      shelf.push(slice);
    }
    shelf.reverse(); // The first that was cut is the lowest in its page, and is to be taken first.
  }

  @Override
  int grow(long byteSize, long alignment, long requestCount) {
    if (heldPages() >= maxPages) {
      return NONE;
    }
    StorageBlock block = makeBlock(pageByteSize);
    int number = spareNumbers.isEmpty() ? ++highestNumber : spareNumbers.removeLast();
    file(number, block);
    pages.addPage(number, requestCount);
    return findOnce(byteSize, alignment);
  }

  private long heldPages() {
    return (long) highestNumber - spareNumbers.size();
  }

  @Override
  void give(int slice, long requestCount) {
    Shelf shelf = magazines.homeShelf(this, slice);
    if (shelf == null) {
      pages.give(slice, requestCount);
      return;
    }
    if (shelf.isFull()) {
      shelf.flushHalf(requestCount);
    }
    slices().disown(slice);
    shelf.push(slice);
  }

  /** Takes a slice back to its page, where it merges with its free neighbours. */
  void giveToPage(int slice, long requestCount) {
    pages.give(slice, requestCount);
  }

  @Override
  int longestIdle() {
    return pages.longestIdlePage();
  }

  @Override
  int lastIdle() {
    return pages.lastIdlePage();
  }

  @Override
  long idleSince(int page) {
    return pages.idleSince(page);
  }

  @Override
  void touch(int page, long requestCount) {
    pages.touchPage(page, requestCount);
  }

  @Override
  void forget(int page) {
    pages.removePage(page);
    spareNumbers.add(page);
  }

  @Override
  public SliceTable slices() {
    return pages.slices();
  }

  @Override
  public long largestFree() {
    boolean empty = usage().inUse() == 0 && usage().pending() == 0;
    return empty && heldPages() > 0 ? pageByteSize : pages.largestFree();
  }

  @Override
  public long freeByteSize() {
    return usage().reserved() - usage().inUse() - usage().padding() - usage().pending();
  }

  @Override
  public List<PageSnapshot> pageSnapshots() {
    List<PageSnapshot> snapshots = new ArrayList<>();
    for (int number = 1; number <= highestNumber; number++) {
      int[] slices = pages.slicesOf(number);
      if (slices.length > 0) {
        snapshots.add(snapshot(slices));
      }
    }
    return snapshots;
  }

  private PageSnapshot snapshot(int[] slicesOfPage) {
    long free = 0;
    long largestFree = 0;
    long run = 0;
    int live = 0;
    for (int slice : slicesOfPage) {
      if (isUsed(slice)) {
        live++;
        free += slices().byteSize(slice) - roundUp(slices().requested(slice));
        run = 0;
      } else {
        free += slices().byteSize(slice);
        run += slices().byteSize(slice);
        largestFree = Math.max(largestFree, run);
      }
    }
    return new PageSnapshot(pageByteSize, free, largestFree, live);
  }

  /** Whether a slice is live or pending, and so neither free nor on a shelf. */
  private boolean isUsed(int slice) {
    SliceNote note = note(slice);
    return slices().isTaken(slice)
        && (slices().isOwned(slice) || (note != null && note.pending != null));
  }

  @Override
  long checkSlices() {
    int taken = 0;
    int used = 0;
    for (int page = 1; page <= highestNumber; page++) {
      for (int slice : pages.slicesOf(page)) {
        taken += slices().isTaken(slice) ? 1 : 0;
        used += isUsed(slice) ? 1 : 0;
      }
    }
    Invariant.check(taken - used == magazines.stocked(this), taken - used, "slices on shelves");
    return pages.checkInvariants();
  }

  @Override
  public long visits() {
    return pages.visits();
  }
}
