package io.cistern.page;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * The records of slices, free and live, in arrays of primitives.
 *
 * <p>A slice is named by a number from 1; 0 is no slice. Its record holds its bounds, in bytes, and
 * its links, which are other slices' numbers, its page's, and its generation.
 *
 * <p>A generation is odd while the slice is taken and even otherwise; it changes each time, so a
 * handle that remembers it can't reach the slice's next owner. A taken slice is live while it has
 * an owner; a magazine keeps taken ones that have none. Records of slices that merged away are kept
 * in a chain and used again, their generation going on.
 *
 * <p>A slice that a magazine has had knows which: its home.
 *
 * <p><b>Memory.</b> 60 bytes a record, in segments of {@value #SEGMENT} records that never move:
 * growing copies nothing, and a thread may write the record of a slice that it owns while another
 * makes records. Segments without a slice are given up when three of four records are retired.
 *
 * <p>Otherwise not safe for many threads: a manager's lock stands around it.
 */
public final class SliceTable {

  /** No slice. */
  public static final int NONE = 0;

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(int[].class);

  // Links: the neighbours in the page; in the free index, the slices before and behind in the ring
  // of equal size, and the two children in the tree of the size class.
  private static final int GENERATION = 0;
  private static final int PAGE = 1;
  private static final int BEFORE = 2;
  private static final int BEHIND = 3;
  private static final int RING_PREVIOUS = 4;
  private static final int RING_NEXT = 5;
  private static final int CHILDREN = 6;

  // Bounds, two words each: the offset in the page, the size with padding, and the size that was
  // asked for.
  private static final int OFFSET = 8;
  private static final int SIZE = 10;
  private static final int REQUESTED = 12;

  private static final int HOME = 14;
  private static final int WORDS = 15;

  // A slice is live or in the index, never both, so a live one has in the same places who keeps it
  // (open handles, and holds of captures), and the number of its request.
  private static final int HANDLES = RING_PREVIOUS;
  private static final int HOLDS = RING_NEXT;
  private static final int SERIAL = CHILDREN;

  private static final int SEGMENT_BITS = 9;
  private static final int SEGMENT = 1 << SEGMENT_BITS;
  private static final int MAX_SEGMENTS = Integer.MAX_VALUE >>> SEGMENT_BITS;

  /** Fewer records than this are not worth giving up. */
  private static final int KEPT = 4 * SEGMENT;

  private static final int[] VACANT = {};

  /** In place of the first child of a slice that is in a ring and not its node. */
  private static final int MEMBER = -1;

  // Segment s holds the records from s * SEGMENT on; VACANT where it was given up. Record 0 is
  // never made.
  //
  // Stripes and handles read this without the lock that it is written under. What they look for is
  // in any array that they can see: a new one holds all of the one before, and is whole before it
  // is seen, because of the fences in addSegment. (Volatile, it would halve the speed of placement:
  // a loop over records could keep nothing in registers.)
  private int[][] segments = {};

  // Records fresh .. freshEnd - 1 of the segment that was made last were never made. Those that
  // were, and are not in use, hang on the chain that starts at retired, linked by RING_NEXT.
  private int fresh;
  private int freshEnd;
  private int retired = NONE;
  private int retiredCount;

  // The records of all segments; how many must be retired before segments are looked at again.
  private int capacity;
  private int shrinkAt = KEPT;

  // Even, and at least the generation of every record that was given up.
  private int firstGeneration;

  /**
   * Makes an empty table.
   *
   * @param firstGeneration even; the generation of slices that never were in the table
   */
  public SliceTable(int firstGeneration) {
    this.firstGeneration = firstGeneration;
  }

  /** An even generation that no slice has been beyond. O(records). */
  public int lastGeneration() {
    int last = firstGeneration;
    for (int[] segment : segments) {
      for (int at = GENERATION; at < segment.length; at += WORDS) {
        last = Math.max(last, segment[at]);
      }
    }
    return last + (last & 1);
  }

  private int[] segment(int slice) {
    return segments[slice >>> SEGMENT_BITS];
  }

  private static int at(int slice) {
    return (slice & (SEGMENT - 1)) * WORDS;
  }

  private int word(int slice, int word) {
    return segment(slice)[at(slice) + word];
  }

  private void setWord(int slice, int word, int value) {
    segment(slice)[at(slice) + word] = value;
  }

  private long pair(int slice, int word) {
    int[] segment = segment(slice);
    int at = at(slice) + word;
    return (segment[at] & 0xFFFF_FFFFL) | ((long) segment[at + 1] << 32);
  }

  private void setPair(int slice, int word, long value) {
    int[] segment = segment(slice);
    int at = at(slice) + word;
    segment[at] = (int) value;
    segment[at + 1] = (int) (value >>> 32);
  }

  /** Makes a free slice that is in no index and has no neighbours. */
  public int make(int page, long offset, long byteSize) {
    int slice = retired;
    if (slice != NONE) {
      retired = ringNext(slice);
      retiredCount--;
    } else {
      if (fresh == freshEnd) {
        addSegment();
      }
      slice = fresh++;
      setWord(slice, GENERATION, firstGeneration);
    }
    setBounds(slice, offset, byteSize);
    setWord(slice, PAGE, page);
    setWord(slice, BEFORE, NONE);
    setWord(slice, BEHIND, NONE);
    return slice;
  }

  private void addSegment() {
    int free = 0;
    while (free < segments.length && segments[free].length > 0) {
      free++;
    }
    if (free == segments.length) {
      if (free == MAX_SEGMENTS) {
        throw new IllegalStateException("one pool can't hold more than " + capacity + " slices");
      }
      int[][] more = Arrays.copyOf(segments, Math.min(MAX_SEGMENTS, Math.max(4, free * 2)));
      Arrays.fill(more, free, more.length, VACANT);
      VarHandle.releaseFence();
      segments = more;
    }
    int[] segment = new int[SEGMENT * WORDS];
    VarHandle.releaseFence();
    segments[free] = segment;
    fresh = free << SEGMENT_BITS;
    freshEnd = fresh + SEGMENT;
    if (fresh == NONE) {
      fresh++;
    }
    capacity += SEGMENT;
  }

  /** Makes a live slice of 0 bytes on no page. */
  public int makeEmpty() {
    int slice = make(NONE, 0, 0);
    setHome(slice, 0);
    nextGeneration(slice);
    return slice;
  }

  /** Ends a live slice of 0 bytes. */
  public void retireEmpty(int slice) {
    nextGeneration(slice);
    retire(slice);
  }

  /** Takes a free slice out of the table; its number is used again. */
  public void retire(int slice) {
    setRing(slice, NONE, retired);
    retired = slice;
    retiredCount++;
    if (retiredCount >= shrinkAt) {
      shrink();
    }
  }

  /**
   * Gives up the segments that hold retired records alone, if most records are retired. O(records);
   * looked at again after a quarter of them has changed, so O(1) amortised.
   */
  private void shrink() {
    int made = capacity - (freshEnd - fresh);
    if (retiredCount >= made - made / 4) {
      int[] retiredIn = new int[segments.length];
      for (int slice = retired; slice != NONE; slice = ringNext(slice)) {
        retiredIn[slice >>> SEGMENT_BITS]++;
        firstGeneration = Math.max(firstGeneration, generation(slice));
      }
      keepPartly(retiredIn);
    }
    shrinkAt = Math.max(KEPT, retiredCount + (capacity - retiredCount) / 4 + capacity / 4);
  }

  private void keepPartly(int[] retiredIn) {
    int chain = NONE;
    int kept = 0;
    for (int slice = retired; slice != NONE; ) {
      int next = ringNext(slice);
      if (retiredIn[slice >>> SEGMENT_BITS] < SEGMENT) {
        setRing(slice, NONE, chain);
        chain = slice;
        kept++;
      }
      slice = next;
    }
    retired = chain;
    retiredCount = kept;
    for (int s = 0; s < segments.length; s++) {
      if (retiredIn[s] == SEGMENT) {
        segments[s] = VACANT;
        capacity -= SEGMENT;
      }
    }
  }

  /** The records that there is memory for. */
  long capacity() {
    return capacity;
  }

  /** The numbers of all slices that are in the table; O(slices). */
  int[] all() {
    BitSet present = new BitSet();
    for (int s = 0; s < segments.length; s++) {
      if (segments[s].length > 0) {
        present.set(s << SEGMENT_BITS, (s + 1) << SEGMENT_BITS);
      }
    }
    present.clear(NONE);
    present.clear(fresh, freshEnd);
    for (int slice = retired; slice != NONE; slice = ringNext(slice)) {
      present.clear(slice);
    }
    return present.stream().toArray();
  }

  void setPage(int slice, int page) {
    setWord(slice, PAGE, page);
  }

  /** The offset of a slice in its page, in bytes. */
  public long offset(int slice) {
    return pair(slice, OFFSET);
  }

  /** The size of a slice in bytes, padding included. */
  public long byteSize(int slice) {
    return pair(slice, SIZE);
  }

  /** The number of the page that a slice is on. */
  public int page(int slice) {
    return word(slice, PAGE);
  }

  /** The generation of a slice: odd while it is taken. */
  public int generation(int slice) {
    return word(slice, GENERATION);
  }

  /** Whether a slice is taken, with this generation; false for numbers that were never made. */
  public boolean isTaken(int slice, int generation) {
    return isTakenAt(slice, generation, -1);
  }

  /** Whether a slice is taken: live, or kept by a magazine or by fences. */
  public boolean isTaken(int slice) {
    return (generation(slice) & 1) != 0;
  }

  /** Gives a taken slice to its request: one handle, no hold. */
  public void own(int slice, long requested, long serial) {
    int[] segment = segment(slice);
    int at = at(slice);
    segment[at + HANDLES] = 1;
    segment[at + HOLDS] = 0;
    segment[at + SERIAL] = (int) serial;
    segment[at + SERIAL + 1] = (int) (serial >>> 32);
    segment[at + REQUESTED] = (int) requested;
    segment[at + REQUESTED + 1] = (int) (requested >>> 32);
  }

  /** Whether a taken slice is live: a handle or a hold is on it. */
  public boolean isOwned(int slice) {
    return handles(slice) > 0 || holds(slice) > 0;
  }

  /** Makes a taken slice nobody's: it stays taken, for its next owner. */
  public void disown(int slice) {
    int[] segment = segment(slice);
    int at = at(slice);
    segment[at + HANDLES] = 0;
    segment[at + HOLDS] = 0;
    segment[at + GENERATION] += 2;
  }

  /**
   * Whether a slice is taken at a generation of which the low bits are known.
   *
   * @param generation as many low bits of the generation as the mask has
   */
  public boolean isTakenAt(int slice, int generation, int mask) {
    int[] segment = segmentOrVacant(slice);
    if (segment.length == 0) {
      return false;
    }
    int now = (int) WORD.getAcquire(segment, at(slice) + GENERATION);
    return (now & mask) == generation && (now & 1) != 0;
  }

  /** The home of a slice; 0 if it has none, or was never made. */
  public int home(int slice) {
    int[] segment = segmentOrVacant(slice);
    return segment.length > 0 ? segment[at(slice) + HOME] : 0;
  }

  /** Gives a taken slice a home, a number above 0, or none with 0. */
  public void setHome(int slice, int home) {
    setWord(slice, HOME, home);
  }

  /** The segment of a record, for any number; one of length 0 if there is no such record. */
  private int[] segmentOrVacant(int slice) {
    int[][] all = segments;
    int segment = slice >>> SEGMENT_BITS;
    return slice > NONE && segment < all.length ? all[segment] : VACANT;
  }

  /** The size in bytes that a slice was last asked for with, without padding. */
  public long requested(int slice) {
    return pair(slice, REQUESTED);
  }

  /** The number of the request that a live slice serves; rises from one to the next. */
  public long serial(int slice) {
    return pair(slice, SERIAL);
  }

  /** The open handles of a live slice. */
  public int handles(int slice) {
    return word(slice, HANDLES);
  }

  /** Counts handles of a live slice that were opened, or closed if negative; returns those open. */
  public int addHandles(int slice, int opened) {
    return segment(slice)[at(slice) + HANDLES] += opened;
  }

  /** The holds on a live slice. */
  public int holds(int slice) {
    return word(slice, HOLDS);
  }

  /** Counts holds on a live slice that were taken, or dropped if negative; returns those left. */
  public int addHolds(int slice, int taken) {
    return segment(slice)[at(slice) + HOLDS] += taken;
  }

  /** The numbers of all live slices, in no order; O(slices). */
  public IntStream live() {
    return Arrays.stream(all()).filter(slice -> isTaken(slice) && isOwned(slice));
  }

  /** Turns a free slice into a taken one, or a taken one into a free one. */
  void nextGeneration(int slice) {
    segment(slice)[at(slice) + GENERATION]++;
  }

  void setBounds(int slice, long offset, long byteSize) {
    setPair(slice, OFFSET, offset);
    setPair(slice, SIZE, byteSize);
  }

  int before(int slice) {
    return word(slice, BEFORE);
  }

  int behind(int slice) {
    return word(slice, BEHIND);
  }

  void setBefore(int slice, int before) {
    setWord(slice, BEFORE, before);
  }

  void setBehind(int slice, int behind) {
    setWord(slice, BEHIND, behind);
  }

  int ringPrevious(int slice) {
    return word(slice, RING_PREVIOUS);
  }

  int ringNext(int slice) {
    return word(slice, RING_NEXT);
  }

  void setRing(int slice, int previous, int next) {
    setWord(slice, RING_PREVIOUS, previous);
    setWord(slice, RING_NEXT, next);
  }

  void setRingPrevious(int slice, int previous) {
    setWord(slice, RING_PREVIOUS, previous);
  }

  void setRingNext(int slice, int next) {
    setWord(slice, RING_NEXT, next);
  }

  /** The child on a side of the tree: 0 or 1. */
  int child(int slice, int side) {
    return word(slice, CHILDREN + side);
  }

  void setChild(int slice, int side, int child) {
    setWord(slice, CHILDREN + side, child);
  }

  void clearChildren(int slice) {
    setWord(slice, CHILDREN, NONE);
    setWord(slice, CHILDREN + 1, NONE);
  }

  /** Says that a slice is in a ring and not its node, so that it has no children. */
  void markMember(int slice) {
    setWord(slice, CHILDREN, MEMBER);
  }

  boolean isMember(int slice) {
    return word(slice, CHILDREN) == MEMBER;
  }

  void copyChildren(int from, int to) {
    setWord(to, CHILDREN, child(from, 0));
    setWord(to, CHILDREN + 1, child(from, 1));
  }
}
