package io.cistern.trace.table;

import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceReader;
import java.util.Arrays;

/**
 * The ids that are live, and a small number for each, its slot, so that what belongs to an id lies
 * in an array.
 *
 * <p>Ids strictly increase over allocations, so the highest alone tells whether one was there
 * before, and memory grows with the live ids only: slots are used again, the last one freed first.
 */
public final class LiveIds {

  /** The id is not above the highest so far. */
  public static final int REPEATED = -1;

  /** The id is above the highest so far. */
  public static final int UNKNOWN = -2;

  /** The id was there and is not live. */
  public static final int FREED = -3;

  // A hash table of ids with linear probing, at most half full; slotsPlusOne is 0 where a place is
  // empty. Freed slots are a stack. live + freeCount = slots.
  private static final long MIX = 0x9e3779b97f4a7c15L;

  private long[] ids = new long[64];
  private int[] slotsPlusOne = new int[64];
  private int[] freeSlots = new int[32];
  private int freeCount;
  private int slots;
  private int live;
  private long highest = -1;

  /** Takes a new id; returns its slot, or {@link #REPEATED}. */
  public int allocate(long id) {
    if (id <= highest) {
      return REPEATED;
    }
    highest = id;
    if (2 * (live + 1) > ids.length) {
      grow();
    }
    int slot = freeCount > 0 ? freeSlots[--freeCount] : slots++;
    put(id, slot);
    live++;
    return slot;
  }

  /** Drops an id; returns the slot that it had, or {@link #UNKNOWN} or {@link #FREED}. */
  public int free(long id) {
    if (id > highest) {
      return UNKNOWN;
    }
    int place = placeOf(id);
    if (slotsPlusOne[place] == 0) {
      return FREED;
    }
    int slot = slotsPlusOne[place] - 1;
    removeAt(place);
    live--;
    if (freeCount == freeSlots.length) {
      freeSlots = Arrays.copyOf(freeSlots, 2 * freeCount);
    }
    freeSlots[freeCount++] = slot;
    return slot;
  }

  /**
   * Takes the id of an allocation's row, or drops that of a free's.
   *
   * @param row a reader that is at the row
   * @param faults told of a row whose id is impossible
   * @return the slot; negative if the row is to be left out
   * @throws TraceException if such a row is an error
   */
  public int slotOf(TraceReader row, TraceFaults faults) throws TraceException {
    int slot = row.isAllocation() ? allocate(row.id()) : free(row.id());
    if (slot < 0) {
      faults.add(row.line(), why(slot, row.id()));
    }
    return slot;
  }

  private String why(int refusal, long id) {
    return switch (refusal) {
      case REPEATED -> "repeated id " + id + ": ids increase, and " + highest + " was there before";
      case FREED -> "id " + id + " is already freed";
      default -> "free of unknown id " + id;
    };
  }

  /** The ids that are live. */
  public int live() {
    return live;
  }

  /** The slots that were ever in use, which are 0 to below this. */
  public int slots() {
    return slots;
  }

  private int home(long id) {
    return (int) ((id * MIX) >>> (Long.numberOfLeadingZeros(ids.length) + 1));
  }

  private int placeOf(long id) {
    int mask = ids.length - 1;
    int place = home(id);
    while (slotsPlusOne[place] != 0 && ids[place] != id) {
      place = (place + 1) & mask;
    }
    return place;
  }

  private void put(long id, int slot) {
    int place = placeOf(id);
    ids[place] = id;
    slotsPlusOne[place] = slot + 1;
  }

  /** Empties a place and moves back those behind it that had to make way. */
  private void removeAt(int emptied) {
    int mask = ids.length - 1;
    int hole = emptied;
    int place = (hole + 1) & mask;
    while (slotsPlusOne[place] != 0) {
      int way = (place - home(ids[place])) & mask;
      if (way >= ((place - hole) & mask)) {
        ids[hole] = ids[place];
        slotsPlusOne[hole] = slotsPlusOne[place];
        hole = place;
      }
      place = (place + 1) & mask;
    }
    slotsPlusOne[hole] = 0;
  }

  private void grow() {
    long[] oldIds = ids;
    int[] oldSlots = slotsPlusOne;
    ids = new long[2 * oldIds.length];
    slotsPlusOne = new int[ids.length];
    for (int i = 0; i < oldIds.length; i++) {
      if (oldSlots[i] != 0) {
        put(oldIds[i], oldSlots[i] - 1);
      }
    }
  }
}
