package io.cistern.pool;

import io.cistern.page.SliceTable;
import java.util.Arrays;

/**
 * One size class of a magazine: taken slices of one size that nobody owns. The one put last is
 * taken first, because its memory is the likeliest to be in a cache.
 *
 * <p>Guarded by its stripe.
 */
final class Shelf extends Padded {

  /** The bytes that a shelf may hold; it holds at least {@value #FEWEST} slices. */
  private static final long BYTES = 128 << 10;

  private static final int FEWEST = 8;
  private static final int MOST = 64;

  private final SlicedPool pool;

  // The pool's, at hand: each operation needs them.
  private final int poolIndex;
  private final SliceTable slices;

  private final int home;
  private final long byteSize;
  private final Loan loan;
  private final int[] stock;
  private int count;

  // How many slices the next refill brings: a class that is seldom asked for gathers few. Not one,
  // so that the records of slices that two threads use do not lie in one cache line.
  private int batch = FEWEST / 2;

  /** Makes an empty shelf of a stripe for slices of a size in bytes. */
  Shelf(SlicedPool pool, int home, long byteSize, Loan loan) {
    this.pool = pool;
    this.poolIndex = pool.index();
    this.slices = pool.slices();
    this.home = home;
    this.byteSize = byteSize;
    this.loan = loan;
    this.stock = new int[Math.clamp(BYTES / byteSize, FEWEST, MOST)];
  }

  SlicedPool pool() {
    return pool;
  }

  int poolIndex() {
    return poolIndex;
  }

  SliceTable slices() {
    return slices;
  }

  /** Whose shelf it is, as the home of slices. */
  int home() {
    return home;
  }

  long byteSize() {
    return byteSize;
  }

  Loan loan() {
    return loan;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** How many of its slices have it as their home, for checks: all. */
  int atHome() {
    return (int) Arrays.stream(stock, 0, count).filter(slice -> slices.home(slice) == home).count();
  }

  boolean isFull() {
    return count == stock.length;
  }

  int pop() {
    return stock[--count];
  }

  void push(int slice) {
    stock[count++] = slice;
  }

  /** Turns the order of its slices round. */
  void reverse() {
    for (int low = 0, high = count - 1; low < high; low++, high--) {
      int slice = stock[low];
      stock[low] = stock[high];
      stock[high] = slice;
    }
  }

  /** The slices of the next refill: twice as many as last time, up to half of what it holds. */
  int nextBatch() {
    int now = batch;
    batch = Math.min(batch * 2, stock.length / 2);
    return now;
  }

  /** Gives the slices that were put first back to the pages, until some are left. */
  void flush(int left, long requestCount) {
    int out = count - left;
    for (int i = 0; i < out; i++) {
      pool.giveToPage(stock[i], requestCount);
    }
    System.arraycopy(stock, out, stock, 0, left);
    count = left;
  }

  /** Gives all that it holds back, because memory is short: it gathers few for a while. */
  void empty(long requestCount) {
    flush(0, requestCount);
    batch = 1;
  }

  /** Gives half of what it holds back to the pages. */
  void flushHalf(long requestCount) {
    flush(count / 2, requestCount);
  }
}
