package io.cistern.pool;

import io.cistern.storage.Fence;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Closed slices of a manager that fences still keep out of reach.
 *
 * <p>A slice waits for one of its fences at a time, together with all others that wait for the same
 * one; when that has passed the slice goes on to its next, or is freed. The fences stand in a ring,
 * and a request asks the next few of them, so a passed one is found after at most as many requests
 * as there are different fences. Slices are never searched: O(1) a request, and O(fences of a
 * slice) over its life.
 *
 * <p>Not safe for many threads: a manager's lock stands around it.
 */
public final class PendingFrees {

  /** How many fences a request asks. */
  public static final int FEW = 2;

  /** How many fences a request asks before it would need a driver call. */
  public static final int MANY = 64;

  /** All fences are asked; for requests that would wait or fail otherwise. */
  public static final int ALL = Integer.MAX_VALUE;

  private final IdentityHashMap<Fence, Group> byFence = new IdentityHashMap<>();

  // The same groups, each once; the one asked last is the last.
  private final ArrayDeque<Group> ring = new ArrayDeque<>();

  /** The slices that wait for one fence. */
  private record Group(Fence fence, List<Entry> entries) {}

  /** A slice that waits. */
  static final class Entry {
    private final Pool pool;
    private final int slice;
    private final List<Fence> fences;
    private boolean cancelled;

    private Entry(Pool pool, int slice, List<Fence> fences) {
      this.pool = pool;
      this.slice = slice;
      this.fences = fences;
    }

    /** Takes the slice from the pending ones; returns the fences that it may still wait for. */
    List<Fence> cancel() {
      cancelled = true;
      return fences;
    }
  }

  /** Whether no slice waits. */
  public boolean isEmpty() {
    return ring.isEmpty();
  }

  /**
   * Lets a slice wait for fences.
   *
   * @return the slice's entry; null if all of them have passed
   */
  @Nullable Entry add(Pool pool, int slice, List<Fence> fences) {
    Entry entry = new Entry(pool, slice, new ArrayList<>(fences));
    return waits(entry) ? entry : null;
  }

  /** Puts an entry to the first of its fences that has not passed; false if there is none. */
  private boolean waits(Entry entry) {
    List<Fence> fences = entry.fences;
    while (!fences.isEmpty()) {
      Fence next = fences.getLast();
      if (!next.hasPassed()) {
        groupOf(next).entries.add(entry);
        return true;
      }
      fences.removeLast();
    }
    return false;
  }

  private Group groupOf(Fence fence) {
    Group group = byFence.get(fence);
    if (group == null) {
      group = new Group(fence, new ArrayList<>());
      byFence.put(fence, group);
      ring.addLast(group);
    }
    return group;
  }

  /**
   * Asks the next fences in the ring, and frees the slices that waited for passed ones alone.
   *
   * @param atMost how many fences to ask
   * @return whether a slice was freed
   */
  public boolean poll(int atMost) {
    boolean freed = false;
    for (int asked = Math.min(atMost, ring.size()); asked > 0; asked--) {
      Group group = ring.removeFirst();
      if (group.fence.hasPassed()) {
        byFence.remove(group.fence);
        freed |= passed(group);
      } else {
        ring.addLast(group);
      }
    }
    return freed;
  }

  private boolean passed(Group group) {
    boolean freed = false;
    for (Entry entry : group.entries) {
      if (!entry.cancelled && !waits(entry)) {
        entry.pool.freePending(entry.slice);
        freed = true;
      }
    }
    return freed;
  }

  /**
   * The next fence in the ring that keeps a slice of some pools, which is the last one then; null
   * if there is none. O(fences), and O(pending slices) where many are of other pools.
   */
  public @Nullable Fence next(Predicate<Pool> pools) {
    for (int seen = ring.size(); seen > 0; seen--) {
      Group group = ring.removeFirst();
      ring.addLast(group);
      for (Entry entry : group.entries) {
        if (!entry.cancelled && pools.test(entry.pool)) {
          return group.fence;
        }
      }
    }
    return null;
  }
}
