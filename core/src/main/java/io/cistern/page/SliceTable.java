package io.cistern.page;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The records of slices, free and live, in one array of primitives.
 *
 * <p>A slice is named by a number from 1; 0 is no slice. A record is six words:
 *
 * <pre>
 * 0  offset in the page, bytes
 * 1  size, bytes
 * 2  neighbours in the page: the slice before (upper half), the slice behind (lower half)
 * 3  page number (upper half), generation (lower half)
 * 4  in the free index: the slices before and behind in the ring of equal size
 * 5  in the free index: the two children in the tree of the size class
 * </pre>
 *
 * <p>A generation is odd while the slice is live and even otherwise; it rises by one at each
 * change, so a handle that remembers it can't reach the slice's next owner. Records of slices that
 * merged away are kept in a chain and used again, their generation going on.
 *
 * <p>Not safe for many threads: a manager's lock stands around it.
 */
public final class SliceTable {

  /** No slice. */
  public static final int NONE = 0;

  private static final int WORDS = 6;
  private static final int OFFSET = 0;
  private static final int SIZE = 1;
  private static final int NEIGHBOURS = 2;
  private static final int PAGE_AND_GENERATION = 3;
  private static final int RING = 4;
  private static final int CHILDREN = 5;

  private static final int FIRST_CAPACITY = 16;
  private static final int MAX_RECORDS = (Integer.MAX_VALUE - 8) / WORDS;
  private static final long LOWER = 0xFFFF_FFFFL;

  /** No pair of slice numbers. */
  private static final long MEMBER = -1;

  private long[] words = new long[FIRST_CAPACITY * WORDS];

  // Records 1 .. used have been made; those not in use hang on the chain that starts at retired,
  // linked by their RING word. Record 0 is never made.
  private int used;
  private int retired = NONE;

  /** Makes a free slice that is in no index and has no neighbours. */
  public int make(int page, long offset, long byteSize) {
    int slice = retired;
    if (slice != NONE) {
      retired = ringNext(slice);
    } else {
      if ((used + 2L) * WORDS > words.length) {
        grow();
      }
      slice = ++used;
    }
    int at = slice * WORDS;
    words[at + OFFSET] = offset;
    words[at + SIZE] = byteSize;
    words[at + NEIGHBOURS] = 0;
    words[at + PAGE_AND_GENERATION] = pair(page, (int) words[at + PAGE_AND_GENERATION]);
    return slice;
  }

  /** Takes a free slice out of the table; its number is used again. */
  public void retire(int slice) {
    setRing(slice, NONE, retired);
    retired = slice;
  }

  /** The numbers of all slices that are in the table; O(slices). */
  int[] all() {
    BitSet present = new BitSet(used + 1);
    present.set(1, used + 1);
    for (int slice = retired; slice != NONE; slice = ringNext(slice)) {
      present.clear(slice);
    }
    return present.stream().toArray();
  }

  void setPage(int slice, int page) {
    int at = slice * WORDS + PAGE_AND_GENERATION;
    words[at] = pair(page, (int) words[at]);
  }

  private void grow() {
    if (used + 2 > MAX_RECORDS) {
      throw new IllegalStateException("one pool can't hold more than " + used + " slices");
    }
    long records = Math.min(MAX_RECORDS, (used + 2L) * 2);
    words = Arrays.copyOf(words, (int) (records * WORDS));
  }

  /** The offset of a slice in its page, in bytes. */
  public long offset(int slice) {
    return words[slice * WORDS + OFFSET];
  }

  /** The size of a slice in bytes, padding included. */
  public long byteSize(int slice) {
    return words[slice * WORDS + SIZE];
  }

  /** The number of the page that a slice is on. */
  public int page(int slice) {
    return upper(words[slice * WORDS + PAGE_AND_GENERATION]);
  }

  /** The generation of a slice: odd while it is live. */
  public int generation(int slice) {
    return (int) words[slice * WORDS + PAGE_AND_GENERATION];
  }

  /** Whether a slice is live with this generation; false for numbers that were never made. */
  public boolean isLive(int slice, int generation) {
    return slice > NONE && slice <= used && isLive(slice) && generation(slice) == generation;
  }

  /** Whether a slice is live. */
  public boolean isLive(int slice) {
    return (words[slice * WORDS + PAGE_AND_GENERATION] & 1) != 0;
  }

  /** Turns a free slice into a live one, or a live one into a free one. */
  void nextGeneration(int slice) {
    int at = slice * WORDS + PAGE_AND_GENERATION;
    long old = words[at];
    words[at] = pair(upper(old), (int) old + 1);
  }

  void setBounds(int slice, long offset, long byteSize) {
    words[slice * WORDS + OFFSET] = offset;
    words[slice * WORDS + SIZE] = byteSize;
  }

  int before(int slice) {
    return upper(words[slice * WORDS + NEIGHBOURS]);
  }

  int behind(int slice) {
    return (int) words[slice * WORDS + NEIGHBOURS];
  }

  void setBefore(int slice, int before) {
    int at = slice * WORDS + NEIGHBOURS;
    words[at] = pair(before, (int) words[at]);
  }

  void setBehind(int slice, int behind) {
    int at = slice * WORDS + NEIGHBOURS;
    words[at] = pair(upper(words[at]), behind);
  }

  int ringPrevious(int slice) {
    return upper(words[slice * WORDS + RING]);
  }

  int ringNext(int slice) {
    return (int) words[slice * WORDS + RING];
  }

  void setRing(int slice, int previous, int next) {
    words[slice * WORDS + RING] = pair(previous, next);
  }

  void setRingPrevious(int slice, int previous) {
    int at = slice * WORDS + RING;
    words[at] = pair(previous, (int) words[at]);
  }

  void setRingNext(int slice, int next) {
    int at = slice * WORDS + RING;
    words[at] = pair(upper(words[at]), next);
  }

  /** The child on a side of the tree: 0 or 1. */
  int child(int slice, int side) {
    long children = words[slice * WORDS + CHILDREN];
    return side == 0 ? upper(children) : (int) children;
  }

  void setChild(int slice, int side, int child) {
    int at = slice * WORDS + CHILDREN;
    words[at] = side == 0 ? pair(child, (int) words[at]) : pair(upper(words[at]), child);
  }

  void clearChildren(int slice) {
    words[slice * WORDS + CHILDREN] = 0;
  }

  /** Says that a slice is in a ring and not its node, so that it has no children. */
  void markMember(int slice) {
    words[slice * WORDS + CHILDREN] = MEMBER;
  }

  boolean isMember(int slice) {
    return words[slice * WORDS + CHILDREN] == MEMBER;
  }

  void copyChildren(int from, int to) {
    words[to * WORDS + CHILDREN] = words[from * WORDS + CHILDREN];
  }

  /** The bytes of Java heap that the records take. */
  long heapByteSize() {
    return words.length * 8L;
  }

  private static int upper(long pair) {
    return (int) (pair >>> 32);
  }

  private static long pair(int upper, int lower) {
    return ((long) upper << 32) | (lower & LOWER);
  }
}
