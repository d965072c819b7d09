package io.cistern.manager;

/** Where a request was served: the pool's index and the slice's number, in one {@code long}. */
final class Place {

  private Place() {}

  static long of(int pool, int slice) {
    return (long) pool << Integer.SIZE | slice;
  }

  static int pool(long place) {
    return (int) (place >> Integer.SIZE);
  }

  static int slice(long place) {
    return (int) place;
  }
}
