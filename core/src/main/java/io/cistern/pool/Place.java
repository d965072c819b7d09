package io.cistern.pool;

/** Where a request was served: the pool's index and the slice's number, in one {@code long}. */
public final class Place {

  /** Nowhere. */
  public static final long NONE = 0;

  private Place() {}

  /** The place of a slice in a pool. */
  public static long of(int pool, int slice) {
    return ((long) pool << Integer.SIZE) | slice;
  }

  /** The index of the pool. */
  public static int pool(long place) {
    return (int) (place >> Integer.SIZE);
  }

  /** The number of the slice in its pool. */
  public static int slice(long place) {
    return (int) place;
  }
}
