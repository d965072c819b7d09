package io.cistern.trace.picture;

import io.cistern.trace.picture.MemoryMap.Moment;
import io.cistern.trace.picture.MemoryMap.PageGroup;
import io.cistern.trace.picture.MemoryMap.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds a moment of bounded size from every page and slice of it.
 *
 * <p>Pages come in their order, and the slices of each by address. What is shorter than a threshold
 * is joined with its neighbours until the threshold is reached: runs within a group of pages, pages
 * of one pool. So there are at most {@link #MOST_GROUPS} groups and one for each pool, and {@link
 * #MOST_RUNS} runs and one for each group.
 */
public final class MomentBuilder {

  /** The most runs of a moment, beside one for each group. */
  public static final int MOST_RUNS = 1000;

  /** The most groups of pages of a moment, beside one for each pool. */
  public static final int MOST_GROUPS = 200;

  private static final int CLASSES = Long.SIZE;

  private final long shortestRun;
  private final long smallestGroup;

  private final List<PageGroup> groups = new ArrayList<>();
  private final List<Run> runs = new ArrayList<>();

  // The page: its size, whether a slice has it for itself, and up to where it is told.
  private long pageByteSize;
  private boolean whole;
  private long told;

  // The group that the page is part of; without pages if none is begun.
  private long groupNumber;
  private int groupPages;
  private int groupPool;
  private long groupByteSize;
  private long groupInUse;
  private long groupFree;
  private long groupLargestFree;
  private int groupSlices;

  // What is too short for a run, so far: by size class, then free, then rest.
  private final long[] joinedBytes = new long[CLASSES + 2];
  private final Map<Integer, Long> joinedTags = new HashMap<>();
  private long joined;
  private int joinedParts;
  private int joinedSlices;

  private long reserved;
  private long inUse;
  private long padding;
  private long rest;
  private long free;
  private long largestFree;
  private long slices;
  private long pages;

  /**
   * Begins a moment.
   *
   * @param reservedBytes what its pages hold
   * @param pageCount how many pages there are
   * @param sliceCount how many slices there are
   */
  public MomentBuilder(long reservedBytes, long pageCount, long sliceCount) {
    // Each slice may have something free before it, and each page behind its last.
    this.shortestRun = pageCount + 2 * sliceCount <= MOST_RUNS ? 0 : 2 * reservedBytes / MOST_RUNS;
    this.smallestGroup = pageCount <= MOST_GROUPS ? 0 : 2 * reservedBytes / MOST_GROUPS;
  }

  /**
   * The next page.
   *
   * @param number the page, in the order in which the driver made them
   * @param pool as in {@link PageGroup}
   * @param byteSize its size in bytes
   * @param forOneSlice whether it holds no more than one slice
   */
  public void page(long number, int pool, long byteSize, boolean forOneSlice) {
    endPage();
    if (groupPages > 0 && (groupPool != pool || groupByteSize + byteSize > smallestGroup)) {
      endGroup();
    }
    if (groupPages == 0) {
      groupNumber = number;
      groupPool = pool;
    }
    groupPages++;
    groupByteSize += byteSize;
    pages++;
    reserved += byteSize;
    pageByteSize = byteSize;
    whole = forOneSlice;
    told = 0;
  }

  /**
   * The next slice of the page.
   *
   * @param byteOffset where on the page it begins
   * @param byteSize the bytes that were asked for, more than 0
   * @param alignedByteSize the bytes that it takes
   * @param tag its tag, as in {@link Run}
   */
  public void slice(long byteOffset, long byteSize, long alignedByteSize, int tag) {
    gap(byteOffset);
    slices++;
    groupSlices++;
    inUse += byteSize;
    groupInUse += byteSize;
    padding += alignedByteSize - byteSize;
    run(alignedByteSize, Long.SIZE - 1 - Long.numberOfLeadingZeros(byteSize), tag, 1);
    told = byteOffset + alignedByteSize;
    if (whole) {
      rest += pageByteSize - told;
      run(pageByteSize - told, MemoryMap.REST, MemoryMap.NO_TAG, 0);
      told = pageByteSize;
    }
  }

  private void gap(long upTo) {
    long length = upTo - told;
    free += length;
    groupFree += length;
    largestFree = Math.max(largestFree, length);
    groupLargestFree = Math.max(groupLargestFree, length);
    run(length, MemoryMap.FREE, MemoryMap.NO_TAG, 0);
  }

  private void run(long byteSize, int sizeClass, int tag, int count) {
    if (byteSize == 0) {
      return;
    }
    if (byteSize >= shortestRun) {
      endJoined();
      runs.add(new Run(byteSize, sizeClass, tag, count, count == 0 ? 0 : byteSize, true));
      return;
    }
    joinedBytes[index(sizeClass)] += byteSize;
    if (count > 0) {
      joinedTags.merge(tag, byteSize, Long::sum);
    }
    joined += byteSize;
    joinedParts++;
    joinedSlices += count;
    if (joined >= shortestRun) {
      endJoined();
    }
  }

  private static int index(int sizeClass) {
    return sizeClass < 0 ? CLASSES - 1 - sizeClass : sizeClass;
  }

  private void endJoined() {
    if (joined == 0) {
      return;
    }
    long taken = 0;
    int most = joinedSlices > 0 ? 0 : index(MemoryMap.FREE);
    for (int i = 0; i < joinedBytes.length; i++) {
      taken += i < CLASSES ? joinedBytes[i] : 0;
      // Slices show where there are any, however little they take.
      if ((i < CLASSES || joinedSlices == 0) && joinedBytes[i] > joinedBytes[most]) {
        most = i;
      }
    }
    int sizeClass = most < CLASSES ? most : CLASSES - 1 - most;
    runs.add(new Run(joined, sizeClass, joinedTag(), joinedSlices, taken, joinedParts == 1));
    Arrays.fill(joinedBytes, 0);
    joinedTags.clear();
    joined = 0;
    joinedParts = 0;
    joinedSlices = 0;
  }

  /** The one with most bytes; of equals the first. */
  private int joinedTag() {
    int most = MemoryMap.NO_TAG;
    long mostBytes = 0;
    for (Map.Entry<Integer, Long> entry : joinedTags.entrySet()) {
      long bytes = entry.getValue();
      if (bytes > mostBytes || (bytes == mostBytes && entry.getKey() < most)) {
        most = entry.getKey();
        mostBytes = bytes;
      }
    }
    return most;
  }

  private void endPage() {
    if (groupPages > 0) {
      gap(pageByteSize);
      told = pageByteSize;
    }
  }

  private void endGroup() {
    endJoined();
    groups.add(
        new PageGroup(
            groupNumber,
            groupPages,
            groupPool,
            groupByteSize,
            groupInUse,
            groupFree,
            groupLargestFree,
            groupSlices));
    groupPages = 0;
    groupByteSize = 0;
    groupInUse = 0;
    groupFree = 0;
    groupLargestFree = 0;
    groupSlices = 0;
  }

  /**
   * Ends the moment.
   *
   * @param row the rows replayed so far
   * @param timeMicros the time of the last of them
   */
  public Moment end(long row, long timeMicros) {
    endPage();
    if (groupPages > 0) {
      endGroup();
    }
    return new Moment(
        row,
        timeMicros,
        reserved,
        inUse,
        padding,
        rest,
        free,
        largestFree,
        slices,
        pages,
        groups,
        runs);
  }
}
