package io.cistern.page;

import static io.cistern.page.SliceTable.NONE;

import java.util.Arrays;

/**
 * Hands out slices of pages of one size: the offset allocator behind sliced pools.
 *
 * <p><b>Algorithm.</b> Best fit over all pages in use, by {@link FreeIndex}; a slice is cut from
 * the low end of the free run, so that what is left stays in one piece. On free a slice merges with
 * its neighbours at once. A page with nothing on it leaves the index for the {@link IdleQueue} and
 * is used again only when no page in use fits, the one that became free last first: so the others
 * stay free and can go back.
 *
 * <p><b>Cost.</b> O(1) in the number of slices and pages: a bounded number of records per call, see
 * {@link FreeIndex}. Placement depends on the calls alone.
 *
 * <p><b>Alignment.</b> A request with an alignment above the granule looks at up to {@value
 * #ALIGNED_PROBES} free runs in order of size for one with room behind a gap, then for one so large
 * that any gap fits. The gap stays free space of the page.
 */
public final class SlicedPages {

  private static final int ALIGNED_PROBES = 16;

  private final SliceTable slices;
  private final IdleQueue idle = new IdleQueue();
  private final FreeIndex free;
  private final long pageByteSize;
  private final long granule;

  // firsts[p] is the slice at offset 0 of page p, NONE if p is not a page. It stays the same slice:
  // splitting and merging keep the lower one. From it on by "behind", the slices are gapless and no
  // two neighbours are free; each free one is in the index, unless it is the whole page.
  private int[] firsts = new int[16];

  /**
   * Makes an allocator without pages.
   *
   * @param pageByteSize the size of each page in bytes, a multiple of the granule
   * @param granule the alignment of every slice in bytes, a power of two
   * @param firstGeneration as for {@link SliceTable}
   */
  public SlicedPages(long pageByteSize, long granule, int firstGeneration) {
    this.slices = new SliceTable(firstGeneration);
    this.pageByteSize = pageByteSize;
    this.granule = granule;
    this.free = new FreeIndex(slices, granule, pageByteSize);
  }

  /** The records, for what is known of a slice. */
  public SliceTable slices() {
    return slices;
  }

  /**
   * Adds a page, idle.
   *
   * @param page a number above 0 that is not a page now
   */
  public void addPage(int page, long requestCount) {
    if (page >= firsts.length) {
      firsts = Arrays.copyOf(firsts, Math.max(page + 1, firsts.length * 2));
    }
    firsts[page] = slices.make(page, 0, pageByteSize);
    idle.add(page, requestCount);
  }

  /** Takes an idle page away. */
  public void removePage(int page) {
    idle.remove(page);
    slices.retire(firsts[page]);
    firsts[page] = NONE;
  }

  /** Makes an idle page the one that became free last. */
  public void touchPage(int page, long requestCount) {
    idle.remove(page);
    idle.add(page, requestCount);
  }

  /** The page that has been idle longest; 0 if none is idle. */
  public int longestIdlePage() {
    return idle.first();
  }

  /** The page that became idle last; 0 if none is idle. */
  public int lastIdlePage() {
    return idle.last();
  }

  /** The request count at which an idle page became free. */
  public long idleSince(int page) {
    return idle.since(page);
  }

  /**
   * Takes a slice.
   *
   * @param byteSize its size in bytes, a multiple of the granule, above 0
   * @param alignment what its offset is a multiple of, in bytes, a power of two
   * @return the slice, live; {@link SliceTable#NONE} if no page has room
   */
  public int take(long byteSize, long alignment) {
    int slice = takeFromUsed(byteSize, alignment);
    int page = idle.last();
    if (slice != NONE || page == 0) {
      return slice;
    }
    idle.remove(page);
    return cut(firsts[page], byteSize, alignment);
  }

  /** As {@link #take}, but from pages alone that are in use already. */
  public int takeFromUsed(long byteSize, long alignment) {
    int slice =
        alignment <= granule ? free.firstAtLeast(byteSize) : firstAligned(byteSize, alignment);
    if (slice == NONE) {
      return NONE;
    }
    free.remove(slice);
    return cut(slice, byteSize, alignment);
  }

  private int firstAligned(long byteSize, long alignment) {
    int slice = free.firstAtLeast(byteSize);
    int firstOfSize = slice;
    for (int probe = 0; slice != NONE && probe < ALIGNED_PROBES; probe++) {
      if (gap(slice, alignment) <= slices.byteSize(slice) - byteSize) {
        return slice;
      }
      slice = free.nextOfSameSize(slice);
      if (slice == firstOfSize) {
        slice = free.firstAtLeast(slices.byteSize(slice) + granule);
        firstOfSize = slice;
      }
    }
    // Any gap is at most the alignment less one granule. A sum that leaves the range fits no page.
    long withGap = byteSize + (alignment - granule);
    return slice == NONE || withGap < 0 ? NONE : free.firstAtLeast(withGap);
  }

  private long gap(int slice, long alignment) {
    return -slices.offset(slice) & (alignment - 1);
  }

  /** Cuts a live slice from a free one that is in no index, and files what is left around it. */
  private int cut(int slice, long byteSize, long alignment) {
    int taken = slice;
    long gap = gap(slice, alignment);
    if (gap > 0) {
      taken = split(slice, gap);
      free.add(slice);
    }
    if (slices.byteSize(taken) > byteSize) {
      free.add(split(taken, byteSize));
    }
    slices.nextGeneration(taken);
    return taken;
  }

  /** Shortens a slice and makes a free one of the rest. */
  private int split(int slice, long byteSize) {
    long offset = slices.offset(slice);
    int rest =
        slices.make(slices.page(slice), offset + byteSize, slices.byteSize(slice) - byteSize);
    link(rest, slices.behind(slice));
    link(slice, rest);
    slices.setBounds(slice, offset, byteSize);
    return rest;
  }

  private void link(int before, int behind) {
    slices.setBehind(before, behind);
    if (behind != NONE) {
      slices.setBefore(behind, before);
    }
  }

  /**
   * Frees a live slice and merges it with its free neighbours.
   *
   * @return whether its page is idle now
   */
  public boolean give(int slice, long requestCount) {
    slices.nextGeneration(slice);
    int whole = slice;
    int behind = slices.behind(slice);
    if (behind != NONE && !slices.isTaken(behind)) {
      free.remove(behind);
      absorb(whole, behind);
    }
    int before = slices.before(slice);
    if (before != NONE && !slices.isTaken(before)) {
      free.remove(before);
      absorb(before, whole);
      whole = before;
    }
    if (slices.byteSize(whole) < pageByteSize) {
      free.add(whole);
      return false;
    }
    idle.add(slices.page(whole), requestCount);
    return true;
  }

  /** Joins a free slice with the free one behind it. */
  private void absorb(int slice, int behind) {
    slices.setBounds(slice, slices.offset(slice), slices.byteSize(slice) + slices.byteSize(behind));
    link(slice, slices.behind(behind));
    slices.retire(behind);
  }

  /** The size of the largest free run in bytes. */
  public long largestFree() {
    return idle.first() != 0 ? pageByteSize : free.largest();
  }

  /** The slices of a page from offset 0 on; O(slices of the page). */
  public int[] slicesOf(int page) {
    int[] all = new int[16];
    int count = 0;
    for (int slice = firsts[page]; slice != NONE; slice = slices.behind(slice)) {
      if (count == all.length) {
        all = Arrays.copyOf(all, count * 2);
      }
      all[count++] = slice;
    }
    return Arrays.copyOf(all, count);
  }

  /**
   * Checks pages, slices and the index of free ones. O(slices).
   *
   * @return the bytes of all live slices
   */
  public long checkInvariants() {
    int pages = 0;
    int idlePages = 0;
    int freeInUse = 0;
    long live = 0;
    for (int page = 1; page < firsts.length; page++) {
      if (firsts[page] == NONE) {
        continue;
      }
      pages++;
      boolean whole = !slices.isTaken(firsts[page]) && slices.behind(firsts[page]) == NONE;
      idlePages += whole ? 1 : 0;
      long end = 0;
      int before = NONE;
      for (int slice : slicesOf(page)) {
        Invariant.check(slices.page(slice) == page, "slice", slice, "on page", page);
        Invariant.check(slices.offset(slice) == end, "no gap before slice", slice);
        Invariant.check(slices.byteSize(slice) > 0, "slice", slice, "is not empty");
        Invariant.check(slices.before(slice) == before, "neighbours of slice", slice);
        boolean free = !slices.isTaken(slice);
        Invariant.check(
            !free || before == NONE || slices.isTaken(before), "slice", slice, "is merged");
        freeInUse += free && !whole ? 1 : 0;
        live += free ? 0 : slices.byteSize(slice);
        end += slices.byteSize(slice);
        before = slice;
      }
      Invariant.check(end == pageByteSize, "page", page, "ends at", end);
    }
    Invariant.check(idle.checkInvariants() == idlePages, idlePages, "of", pages, "pages idle");
    Invariant.check(free.checkInvariants() == freeInUse, freeInUse, "free slices indexed");
    return live;
  }

  /** How many records the calls so far have looked at to find room. */
  public long visits() {
    return free.visits();
  }
}
