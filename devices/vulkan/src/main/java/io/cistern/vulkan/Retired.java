package io.cistern.vulkan;

import io.cistern.DeviceMemoryException;
import io.cistern.storage.Fence;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * What is closed while work on the device may still use it.
 *
 * <p>Each sweep looks at two, in turn, so that those that come are outpaced by those that go while
 * a call costs O(1). Safe for many threads.
 */
final class Retired {

  private static final int LOOKS = 2;

  private final Deque<Entry> waiting = new ArrayDeque<>();

  private record Entry(List<Fence> fences, Runnable end) {
    boolean mayEnd() {
      return fences.stream().allMatch(Fence::hasPassed);
    }
  }

  void add(List<Fence> fences, Runnable end) {
    keep(new Entry(fences, end));
  }

  private void keep(Entry entry) {
    synchronized (waiting) {
      waiting.addLast(entry);
    }
  }

  /** Ends up to two whose fences have passed. */
  void sweep() {
    for (int look = 0; look < LOOKS; look++) {
      Entry entry;
      synchronized (waiting) {
        entry = waiting.pollFirst();
      }
      if (entry == null) {
        return;
      }
      if (!tryEnd(entry)) {
        keep(entry);
      }
    }
  }

  // Outside of the monitor: it may take the storage's.
  private static boolean tryEnd(Entry entry) {
    if (!entry.mayEnd()) {
      return false;
    }
    try {
      entry.end().run();
      return true;
    } catch (DeviceMemoryException e) {
      return false;
    }
  }

  /** Forgets all: what they would end is gone. */
  void clear() {
    synchronized (waiting) {
      waiting.clear();
    }
  }
}
