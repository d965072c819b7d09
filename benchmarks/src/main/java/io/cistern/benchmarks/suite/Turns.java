package io.cistern.benchmarks.suite;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The turns of a bounded ring between one thread that puts and one that takes, which hold their
 * places elsewhere. Each thread remembers how far the other was, and asks again only when it runs
 * out.
 */
final class Turns {

  private static final VarHandle TURN = MethodHandles.arrayElementVarHandle(long[].class);

  // One array, for each number to have cache lines of its own.
  private static final int LINES = 16;
  private static final int PUT = LINES;
  private static final int TAKEN_SEEN = 2 * LINES;
  private static final int TAKEN = 3 * LINES;
  private static final int PUT_SEEN = 4 * LINES;

  private final long[] turns = new long[6 * LINES];
  private final int capacity;

  /**
   * A ring.
   *
   * @param capacity a power of two
   */
  Turns(int capacity) {
    this.capacity = capacity;
  }

  boolean mayPut() {
    if (turns[PUT] - turns[TAKEN_SEEN] < capacity) {
      return true;
    }
    turns[TAKEN_SEEN] = (long) TURN.getAcquire(turns, TAKEN);
    return turns[PUT] - turns[TAKEN_SEEN] < capacity;
  }

  int putAt() {
    return (int) turns[PUT] & (capacity - 1);
  }

  void put() {
    TURN.setRelease(turns, PUT, turns[PUT] + 1);
  }

  boolean mayTake() {
    if (turns[TAKEN] < turns[PUT_SEEN]) {
      return true;
    }
    turns[PUT_SEEN] = (long) TURN.getAcquire(turns, PUT);
    return turns[TAKEN] < turns[PUT_SEEN];
  }

  int takeAt() {
    return (int) turns[TAKEN] & (capacity - 1);
  }

  void take() {
    TURN.setRelease(turns, TAKEN, turns[TAKEN] + 1);
  }
}
