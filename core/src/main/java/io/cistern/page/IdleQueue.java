package io.cistern.page;

import java.util.Arrays;

/**
 * Pages with nothing on them, in the order in which they became free, each with the request count
 * of that moment.
 *
 * <p>A doubly linked list over page numbers: every operation is O(1), growing aside. Page numbers
 * count from 1; 0 is no page.
 */
final class IdleQueue {

  private static final int FIRST_CAPACITY = 16;
  private static final long PREVIOUS = 0xFFFF_FFFF_0000_0000L;

  // Entry p is two words that lie together, because with many pages
  // each touch of an entry misses the cache: 2p the page before (upper half) and the page behind
  // (lower half), 2p + 1 the request count. An end of the queue has 0 for the neighbour it lacks.
  private long[] words = new long[2 * FIRST_CAPACITY];
  private int first;
  private int last;

  /** Checks links and order; returns how many pages are in the queue. O(pages). */
  int checkInvariants() {
    int count = 0;
    int before = 0;
    for (int page = first; page != 0; page = next(page)) {
      Invariant.check(previous(page) == before, "page", page, "behind", before);
      Invariant.check(before == 0 || since(before) <= since(page), "page", page, "in order");
      before = page;
      count++;
    }
    Invariant.check(last == before, "last page", last);
    return count;
  }

  /** Adds a page that is not in the queue, as the one that became free last. */
  void add(int page, long requestCount) {
    if (2 * page >= words.length) {
      words = Arrays.copyOf(words, Math.max(2 * page + 2, words.length * 2));
    }
    words[2 * page] = (long) last << 32;
    words[2 * page + 1] = requestCount;
    if (last == 0) {
      first = page;
    } else {
      setNext(last, page);
    }
    last = page;
  }

  /** Takes out a page that is in the queue. */
  void remove(int page) {
    int previous = previous(page);
    int next = next(page);
    if (previous == 0) {
      first = next;
    } else {
      setNext(previous, next);
    }
    if (next == 0) {
      last = previous;
    } else {
      words[2 * next] = ((long) previous << 32) | next(next);
    }
  }

  private int previous(int page) {
    return (int) (words[2 * page] >>> 32);
  }

  private int next(int page) {
    return (int) words[2 * page];
  }

  private void setNext(int page, int next) {
    words[2 * page] = (words[2 * page] & PREVIOUS) | next;
  }

  /** The page that has been free longest; 0 if there is none. */
  int first() {
    return first;
  }

  /** The page that became free last; 0 if there is none. */
  int last() {
    return last;
  }

  /** The request count at which a page in the queue became free. */
  long since(int page) {
    return words[2 * page + 1];
  }
}
