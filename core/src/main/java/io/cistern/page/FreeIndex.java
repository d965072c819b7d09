package io.cistern.page;

import static io.cistern.page.SliceTable.NONE;

/**
 * Free slices by size: finds the smallest that is at least as large as asked.
 *
 * <p><b>Structure.</b> Sizes are counted in granules (the device's alignment) and sorted into
 * classes, 32 to each power of two, with a bitmap of the classes that are not empty and a bitmap of
 * the bitmaps' words that are not zero, as in TLSF (Masmano et al., 2004). Below 64 granules a
 * class holds one size. Larger classes hold a bitwise digital tree over the sizes: a node has any
 * size that shares the bits on the path to it, as in Doug Lea's malloc ("treebins"). Slices of one
 * size form a ring, of which one is the tree's node.
 *
 * <p><b>Cost.</b> Every operation visits at most two nodes for each bit below a class's leading
 * six, so at most 2 * 58 records and usually one or two, however many slices there are. No object
 * is made.
 *
 * <p><b>Order.</b> Among slices of one size the one freed last comes first: its memory is the
 * likeliest to be in a cache. The order depends on the calls alone.
 */
final class FreeIndex {

  private static final int SUB_BITS = 5;
  private static final int SUBS = 1 << SUB_BITS;

  private final SliceTable slices;
  private final int granuleShift;
  private final int[] roots;

  // Bit s of subs[w] is set iff roots[w * 32 + s] != NONE; bit w of words iff subs[w] != 0.
  private final int[] subs;
  private long words;

  private long visits;

  /**
   * Makes an empty index.
   *
   * @param slices the records
   * @param granule the device's alignment in bytes, a power of two; sizes are multiples of it
   * @param maxByteSize the largest slice that will ever be added, in bytes
   */
  FreeIndex(SliceTable slices, long granule, long maxByteSize) {
    this.slices = slices;
    this.granuleShift = Long.numberOfTrailingZeros(granule);
    int classes = classOf(Math.max(1, maxByteSize >>> granuleShift)) + 1;
    this.subs = new int[(classes + SUBS - 1) / SUBS];
    this.roots = new int[subs.length * SUBS];
  }

  /** The class of a size: exact below 64 granules, then 32 classes to each power of two. */
  private static int classOf(long granules) {
    int doubling = Math.max(0, 63 - SUB_BITS - Long.numberOfLeadingZeros(granules));
    return (doubling << SUB_BITS) + (int) (granules >>> doubling);
  }

  /** The bits of a size that its class leaves open, moved to the top: the path through the tree. */
  private static long pathOf(long granules) {
    int open = Math.max(0, 63 - SUB_BITS - Long.numberOfLeadingZeros(granules));
    return open == 0 ? 0 : granules << (64 - open);
  }

  private long granules(int slice) {
    return slices.byteSize(slice) >>> granuleShift;
  }

  /** Adds a free slice. */
  void add(int slice) {
    long granules = granules(slice);
    int sizeClass = classOf(granules);
    int node = roots[sizeClass];
    if (node == NONE) {
      becomeNode(slice);
      roots[sizeClass] = slice;
      subs[sizeClass >>> SUB_BITS] |= 1 << sizeClass;
      words |= 1L << (sizeClass >>> SUB_BITS);
      return;
    }
    long path = pathOf(granules);
    while (granules(node) != granules) {
      visits++;
      int side = (int) (path >>> 63);
      int child = slices.child(node, side);
      if (child == NONE) {
        becomeNode(slice);
        slices.setChild(node, side, slice);
        return;
      }
      node = child;
      path <<= 1;
    }
    joinRing(node, slice);
  }

  private void becomeNode(int slice) {
    slices.setRing(slice, slice, slice);
    slices.clearChildren(slice);
  }

  /** Puts a slice behind the node of its size, where it is taken first. */
  private void joinRing(int node, int slice) {
    int next = slices.ringNext(node);
    slices.setRing(slice, node, next);
    slices.setRingPrevious(next, slice);
    slices.setRingNext(node, slice);
    slices.markMember(slice);
  }

  /** Takes out a slice that is in the index. */
  void remove(int slice) {
    int next = slices.ringNext(slice);
    int previous = slices.ringPrevious(slice);
    if (next != slice) {
      slices.setRingNext(previous, next);
      slices.setRingPrevious(next, previous);
    }
    if (!slices.isMember(slice)) {
      removeNode(slice, previous);
    }
  }

  /**
   * Puts the one of its ring that was freed after it in a node's place, so that the order stays, or
   * a leaf below it if it was alone.
   */
  private void removeNode(int slice, int freedNext) {
    long granules = granules(slice);
    int sizeClass = classOf(granules);
    int parent = NONE;
    int side = 0;
    int node = roots[sizeClass];
    long path = pathOf(granules);
    while (node != slice) {
      visits++;
      parent = node;
      side = (int) (path >>> 63);
      node = slices.child(node, side);
      path <<= 1;
    }
    int heir = freedNext;
    if (heir != slice) {
      slices.copyChildren(slice, heir);
    } else {
      heir = takeLeafBelow(slice);
    }
    if (parent != NONE) {
      slices.setChild(parent, side, heir);
    } else {
      roots[sizeClass] = heir;
      if (heir == NONE) {
        clear(sizeClass);
      }
    }
  }

  private void clear(int sizeClass) {
    int word = sizeClass >>> SUB_BITS;
    subs[word] &= ~(1 << sizeClass);
    if (subs[word] == 0) {
      words &= ~(1L << word);
    }
  }

  /**
   * Takes any leaf below a node and gives it the node's children: every slice below a node shares
   * the node's path, so a leaf may stand in its place.
   */
  private int takeLeafBelow(int node) {
    int parent = node;
    int side = firstSide(node);
    int leaf = slices.child(node, side);
    if (leaf == NONE) {
      return NONE;
    }
    for (int below = firstSide(leaf); slices.child(leaf, below) != NONE; below = firstSide(leaf)) {
      visits++;
      parent = leaf;
      side = below;
      leaf = slices.child(leaf, below);
    }
    slices.setChild(parent, side, NONE);
    slices.copyChildren(node, leaf);
    return leaf;
  }

  private int firstSide(int node) {
    return slices.child(node, 1) != NONE ? 1 : 0;
  }

  /**
   * The smallest slice of at least a size, {@link SliceTable#NONE} if there is none. It stays in
   * the index.
   */
  int firstAtLeast(long byteSize) {
    long granules = (byteSize + (1L << granuleShift) - 1) >>> granuleShift;
    int sizeClass = classOf(Math.max(1, granules));
    if (sizeClass >= roots.length) {
      return NONE;
    }
    int node = roots[sizeClass];
    int best = node == NONE ? NONE : firstAtLeast(node, granules);
    if (best == NONE) {
      int next = nextClass(sizeClass + 1);
      best = next < 0 ? NONE : smallest(roots[next], NONE);
    }
    return best == NONE ? NONE : slices.ringNext(best);
  }

  /** The smallest slice of at least a size in one class's tree. */
  private int firstAtLeast(int root, long granules) {
    int best = NONE;
    int larger = NONE;
    long path = pathOf(granules);
    int node = root;
    while (node != NONE) {
      visits++;
      long size = granules(node);
      if (size == granules) {
        return node;
      }
      if (size > granules && (best == NONE || size < granules(best))) {
        best = node;
      }
      int side = (int) (path >>> 63);
      int upper = slices.child(node, 1);
      if (side == 0 && upper != NONE) {
        larger = upper; // The deepest untaken branch: all its sizes are above, and nearest.
      }
      node = slices.child(node, side);
      path <<= 1;
    }
    return larger == NONE ? best : smallest(larger, best);
  }

  /** The smallest of a tree and of a slice found before. */
  private int smallest(int root, int before) {
    int best = before;
    int node = root;
    while (node != NONE) {
      visits++;
      if (best == NONE || granules(node) < granules(best)) {
        best = node;
      }
      int lower = slices.child(node, 0);
      node = lower != NONE ? lower : slices.child(node, 1);
    }
    return best;
  }

  /** A slice of exactly a size, {@link SliceTable#NONE} if there is none. */
  int exactly(long byteSize) {
    int slice = firstAtLeast(byteSize);
    return slice != NONE && slices.byteSize(slice) == byteSize ? slice : NONE;
  }

  /** The size of the largest slice in bytes, 0 if there is none. */
  long largest() {
    if (words == 0) {
      return 0;
    }
    int word = 63 - Long.numberOfLeadingZeros(words);
    int sub = 31 - Integer.numberOfLeadingZeros(subs[word]);
    long largest = 0;
    int node = roots[(word << SUB_BITS) + sub];
    while (node != NONE) {
      largest = Math.max(largest, slices.byteSize(node));
      node = slices.child(node, firstSide(node));
    }
    return largest;
  }

  /** The next slice of the same size in the order of taking; comes round to the first. */
  int nextOfSameSize(int slice) {
    return slices.ringNext(slice);
  }

  private int nextClass(int from) {
    int word = from >>> SUB_BITS;
    if (word >= subs.length) {
      return -1;
    }
    int here = subs[word] & (-1 << from);
    if (here != 0) {
      return (word << SUB_BITS) + Integer.numberOfTrailingZeros(here);
    }
    long later = word == 63 ? 0 : words & (-1L << (word + 1));
    if (later == 0) {
      return -1;
    }
    int next = Long.numberOfTrailingZeros(later);
    return (next << SUB_BITS) + Integer.numberOfTrailingZeros(subs[next]);
  }

  /** Checks the bitmaps, trees and rings; returns how many slices are in them. O(slices). */
  int checkInvariants() {
    int count = 0;
    for (int word = 0; word < subs.length; word++) {
      Invariant.check((words >>> word & 1) == 1 == (subs[word] != 0), "word bit", word);
    }
    for (int sizeClass = 0; sizeClass < roots.length; sizeClass++) {
      boolean set = (subs[sizeClass >>> SUB_BITS] >>> sizeClass & 1) == 1;
      Invariant.check(set == (roots[sizeClass] != NONE), "class bit", sizeClass);
      count += checkTree(roots[sizeClass], sizeClass, 0, 0);
    }
    return count;
  }

  private int checkTree(int node, int sizeClass, int depth, long path) {
    if (node == NONE) {
      return 0;
    }
    long granules = granules(node);
    Invariant.check(classOf(granules) == sizeClass, "slice", node, "in class", sizeClass);
    long mask = depth == 0 ? 0 : -1L << (64 - depth);
    Invariant.check((pathOf(granules) & mask) == path, "slice", node, "on its path");
    int count = 0;
    int member = node;
    do {
      int next = slices.ringNext(member);
      Invariant.check(slices.ringPrevious(next) == member, "ring at", member);
      Invariant.check(granules(member) == granules, "one size in the ring at", member);
      Invariant.check(!slices.isTaken(member), "slice", member, "is free");
      count++;
      member = next;
    } while (member != node);
    long bit = 1L << (63 - depth);
    return count
        + checkTree(slices.child(node, 0), sizeClass, depth + 1, path)
        + checkTree(slices.child(node, 1), sizeClass, depth + 1, path | bit);
  }

  /** How many records the operations so far have looked at beyond the one that they were given. */
  long visits() {
    return visits;
  }
}
