package io.cistern.pool;

import static io.cistern.page.SliceTable.NONE;

import io.cistern.layout.ResolvedPool;
import io.cistern.page.SliceTable;
import io.cistern.page.SlicedPages;
import io.cistern.storage.StorageBlock;
import java.util.ArrayList;
import java.util.List;

/** Slices of larger pages; grows a page at a time, up to its cap if it has one. */
public final class SlicedPool extends Pool {

  private final SlicedPages pages;
  private final long pageByteSize;
  private final long maxPages;

  // Page numbers count from 1; those in use are 1 .. highest but for the ones on this stack.
  private final ArrayList<Integer> spareNumbers = new ArrayList<>();
  private int highestNumber;

  SlicedPool(int index, ResolvedPool.Sliced config, Ground ground) {
    super(index, config, config.deallocPeriod(), ground);
    this.pageByteSize = config.pageByteSize();
    this.maxPages = config.maxPages().orElse(Integer.MAX_VALUE);
    this.pages = new SlicedPages(pageByteSize, ground.granule());
  }

  @Override
  int find(long byteSize, long alignment) {
    return pages.take(byteSize, alignment);
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
    return pages.take(byteSize, alignment);
  }

  private long heldPages() {
    return (long) highestNumber - spareNumbers.size();
  }

  @Override
  void give(int slice, long requestCount) {
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
    return pages.largestFree();
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
    int live = 0;
    for (int slice : slicesOfPage) {
      if (slices().isTaken(slice)) {
        live++;
      } else {
        free += slices().byteSize(slice);
        largestFree = Math.max(largestFree, slices().byteSize(slice));
      }
    }
    return new PageSnapshot(pageByteSize, free, largestFree, live);
  }

  @Override
  long checkSlices() {
    return pages.checkInvariants();
  }

  @Override
  public long visits() {
    return pages.visits();
  }
}
