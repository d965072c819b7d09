package io.cistern.page;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * The records of slices, free and live, in two arrays of primitives.
 *
 * <p>A slice is named by a number from 1; 0 is no slice. Its record has two parts: its bounds, in
 * bytes, and its links, which are other slices' numbers, its page's, and its generation. A link is
 * an element of its own, so that to set one is a store and no packing of words.
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

  // Bounds: the offset in the page, the size with padding, and the size that was asked for.
  private static final int BOUNDS = 3;
  private static final int OFFSET = 0;
  private static final int SIZE = 1;
  private static final int REQUESTED = 2;

  // Links: the neighbours in the page; in the free index, the slices before and behind in the ring
  // of equal size, and the two children in the tree of the size class.
  private static final int LINKS = 8;
  private static final int GENERATION = 0;
  private static final int PAGE = 1;
  private static final int BEFORE = 2;
  private static final int BEHIND = 3;
  private static final int RING_PREVIOUS = 4;
  private static final int RING_NEXT = 5;
  private static final int CHILDREN = 6;

  // A slice is live or in the index, never both, so a live one has in the same places who keeps it
  // (open handles, and holds of captures), and the number of its request, in two halves.
  private static final int HANDLES = RING_PREVIOUS;
  private static final int HOLDS = RING_NEXT;
  private static final int SERIAL = CHILDREN;

  private static final int FIRST_CAPACITY = 16;
  private static final int MAX_RECORDS = (Integer.MAX_VALUE - 8) / LINKS;

  /** In place of the first child of a slice that is in a ring and not its node. */
  private static final int MEMBER = -1;

  private long[] bounds = new long[FIRST_CAPACITY * BOUNDS];
  private int[] links = new int[FIRST_CAPACITY * LINKS];

  // Records 1 .. used have been made; those not in use hang on the chain that starts at retired,
  // linked by RING_NEXT. Record 0 is never made.
  private int used;
  private int retired = NONE;

  /** Makes a free slice that is in no index and has no neighbours. */
  public int make(int page, long offset, long byteSize) {
    int slice = retired;
    if (slice != NONE) {
      retired = ringNext(slice);
    } else {
      if ((used + 2L) * BOUNDS > bounds.length) {
        grow();
      }
      slice = ++used;
    }
    bounds[slice * BOUNDS + OFFSET] = offset;
    bounds[slice * BOUNDS + SIZE] = byteSize;
    int at = slice * LINKS;
    links[at + PAGE] = page;
    links[at + BEFORE] = NONE;
    links[at + BEHIND] = NONE;
    return slice;
  }

  /** Makes a live slice of 0 bytes on no page. */
  public int makeEmpty() {
    int slice = make(NONE, 0, 0);
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
    links[slice * LINKS + PAGE] = page;
  }

  private void grow() {
    if (used + 2 > MAX_RECORDS) {
      throw new IllegalStateException("one pool can't hold more than " + used + " slices");
    }
    int records = (int) Math.min(MAX_RECORDS, (used + 2L) * 2);
    bounds = Arrays.copyOf(bounds, records * BOUNDS);
    links = Arrays.copyOf(links, records * LINKS);
  }

  /** The offset of a slice in its page, in bytes. */
  public long offset(int slice) {
    return bounds[slice * BOUNDS + OFFSET];
  }

  /** The size of a slice in bytes, padding included. */
  public long byteSize(int slice) {
    return bounds[slice * BOUNDS + SIZE];
  }

  /** The number of the page that a slice is on. */
  public int page(int slice) {
    return links[slice * LINKS + PAGE];
  }

  /** The generation of a slice: odd while it is live. */
  public int generation(int slice) {
    return links[slice * LINKS + GENERATION];
  }

  /** Whether a slice is live with this generation; false for numbers that were never made. */
  public boolean isLive(int slice, int generation) {
    return slice > NONE && slice <= used && isLive(slice) && generation(slice) == generation;
  }

  /** Whether a slice is live. */
  public boolean isLive(int slice) {
    return (links[slice * LINKS + GENERATION] & 1) != 0;
  }

  /** Gives a slice that just became live to its request: one handle, no hold. */
  public void own(int slice, long requested, long serial) {
    bounds[slice * BOUNDS + REQUESTED] = requested;
    int at = slice * LINKS;
    links[at + HANDLES] = 1;
    links[at + HOLDS] = 0;
    links[at + SERIAL] = (int) (serial >>> 32);
    links[at + SERIAL + 1] = (int) serial;
  }

  /** The size in bytes that a slice was last asked for with, without padding. */
  public long requested(int slice) {
    return bounds[slice * BOUNDS + REQUESTED];
  }

  /** The number of the request that a live slice serves; rises from one to the next. */
  public long serial(int slice) {
    int at = slice * LINKS + SERIAL;
    return ((long) links[at] << 32) | (links[at + 1] & 0xFFFF_FFFFL);
  }

  /** The open handles of a live slice. */
  public int handles(int slice) {
    return links[slice * LINKS + HANDLES];
  }

  /** Counts handles of a live slice that were opened, or closed if negative; returns those open. */
  public int addHandles(int slice, int opened) {
    return links[slice * LINKS + HANDLES] += opened;
  }

  /** The holds on a live slice. */
  public int holds(int slice) {
    return links[slice * LINKS + HOLDS];
  }

  /** Counts holds on a live slice that were taken, or dropped if negative; returns those left. */
  public int addHolds(int slice, int taken) {
    return links[slice * LINKS + HOLDS] += taken;
  }

  /** The numbers of all live slices, in no order; O(slices). */
  public IntStream live() {
    return IntStream.rangeClosed(1, used).filter(this::isLive);
  }

  /** Turns a free slice into a live one, or a live one into a free one. */
  void nextGeneration(int slice) {
    links[slice * LINKS + GENERATION]++;
  }

  void setBounds(int slice, long offset, long byteSize) {
    bounds[slice * BOUNDS + OFFSET] = offset;
    bounds[slice * BOUNDS + SIZE] = byteSize;
  }

  int before(int slice) {
    return links[slice * LINKS + BEFORE];
  }

  int behind(int slice) {
    return links[slice * LINKS + BEHIND];
  }

  void setBefore(int slice, int before) {
    links[slice * LINKS + BEFORE] = before;
  }

  void setBehind(int slice, int behind) {
    links[slice * LINKS + BEHIND] = behind;
  }

  int ringPrevious(int slice) {
    return links[slice * LINKS + RING_PREVIOUS];
  }

  int ringNext(int slice) {
    return links[slice * LINKS + RING_NEXT];
  }

  void setRing(int slice, int previous, int next) {
    links[slice * LINKS + RING_PREVIOUS] = previous;
    links[slice * LINKS + RING_NEXT] = next;
  }

  void setRingPrevious(int slice, int previous) {
    links[slice * LINKS + RING_PREVIOUS] = previous;
  }

  void setRingNext(int slice, int next) {
    links[slice * LINKS + RING_NEXT] = next;
  }

  /** The child on a side of the tree: 0 or 1. */
  int child(int slice, int side) {
    return links[slice * LINKS + CHILDREN + side];
  }

  void setChild(int slice, int side, int child) {
    links[slice * LINKS + CHILDREN + side] = child;
  }

  void clearChildren(int slice) {
    links[slice * LINKS + CHILDREN] = NONE;
    links[slice * LINKS + CHILDREN + 1] = NONE;
  }

  /** Says that a slice is in a ring and not its node, so that it has no children. */
  void markMember(int slice) {
    links[slice * LINKS + CHILDREN] = MEMBER;
  }

  boolean isMember(int slice) {
    return links[slice * LINKS + CHILDREN] == MEMBER;
  }

  void copyChildren(int from, int to) {
    links[to * LINKS + CHILDREN] = links[from * LINKS + CHILDREN];
    links[to * LINKS + CHILDREN + 1] = links[from * LINKS + CHILDREN + 1];
  }
}
