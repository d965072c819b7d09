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

  // next[p] != 0 or p == last, and previous[p] != 0 or p == first, for each page in the queue.
  private int[] previous = new int[FIRST_CAPACITY];
  private int[] next = new int[FIRST_CAPACITY];
  private long[] since = new long[FIRST_CAPACITY];
  private int first;
  private int last;

  /** Checks links and order; returns how many pages are in the queue. O(pages). */
  int checkInvariants() {
    int count = 0;
    int before = 0;
    for (int page = first; page != 0; page = next[page]) {
      Invariant.check(previous[page] == before, "page", page, "behind", before);
      Invariant.check(before == 0 || since[before] <= since[page], "page", page, "in order");
      before = page;
      count++;
    }
    Invariant.check(last == before, "last page", last);
    return count;
  }

  /** Adds a page that is not in the queue, as the one that became free last. */
  void add(int page, long requestCount) {
    if (page >= next.length) {
      int capacity = Math.max(page + 1, next.length * 2);
      previous = Arrays.copyOf(previous, capacity);
      next = Arrays.copyOf(next, capacity);
      since = Arrays.copyOf(since, capacity);
    }
    since[page] = requestCount;
    previous[page] = last;
    next[page] = 0;
    if (last == 0) {
      first = page;
    } else {
      next[last] = page;
    }
    last = page;
  }

  /** Takes out a page that is in the queue. */
  void remove(int page) {
    if (previous[page] == 0) {
      first = next[page];
    } else {
      next[previous[page]] = next[page];
    }
    if (next[page] == 0) {
      last = previous[page];
    } else {
      previous[next[page]] = previous[page];
    }
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
    return since[page];
  }
}
