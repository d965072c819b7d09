package io.cistern.trace.format;

import io.cistern.trace.TraceException;
import io.cistern.trace.table.HeapBudget;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What an allocator held from its driver, from events that tell of each block that it got or gave
 * back. Blocks that it held throughout have no event: see {@link #covers}.
 */
final class HeldCurve {

  private static final int ADDRESS = TimedEvents.FIRST_OWN;
  private static final int BYTES = ADDRESS + 1;
  private static final int OWN_COLUMNS = 2;

  private final TimedEvents changes;
  private int[] order = {};

  // Walked up to here. The blocks that have an address, with their sizes.
  private final TreeMap<Long, Long> blocks = new TreeMap<>();
  private int next;
  private long held;

  HeldCurve(TraceInput input, HeapBudget budget) {
    this.changes = new TimedEvents(OWN_COLUMNS, input, budget);
  }

  /**
   * A block was got, or given back where {@code bytes} is negative.
   *
   * @param address where it is; 0 if that is not known
   */
  void add(String device, long timeNanos, long line, long address, long bytes)
      throws TraceException {
    changes.add(timeNanos, changes.device(device), line, address, bytes);
  }

  /** All events are there: goes before the first of a device; false if it has none. */
  boolean begin(String device) {
    order = changes.inOrder(changes.device(device));
    Set<Long> seen = new HashSet<>();
    long sum = 0;
    for (int change : order) {
      long bytes = changes.get(change, BYTES);
      sum += bytes;
      // What is given back and was not got was held before.
      held = Math.max(held, -sum);
      if (seen.add(changes.get(change, ADDRESS)) && bytes < 0) {
        blocks.put(changes.get(change, ADDRESS), -bytes);
      }
    }
    return order.length > 0;
  }

  /** Goes on to a time; returns the most that was held since the time before. */
  long upTo(long timeNanos) {
    long most = held;
    while (next < order.length && changes.get(order[next], TimedEvents.TIME) <= timeNanos) {
      long address = changes.get(order[next], ADDRESS);
      long bytes = changes.get(order[next], BYTES);
      held += bytes;
      most = Math.max(most, held);
      if (bytes > 0) {
        blocks.put(address, bytes);
      } else {
        blocks.remove(address);
      }
      next++;
    }
    return most;
  }

  /**
   * Whether so many live bytes are in known blocks now, and among them what lies at an address.
   *
   * @param address an address; 0 or below if that is not known
   */
  boolean covers(long address, long liveBytes) {
    if (address > 0) {
      Map.Entry<Long, Long> block = blocks.floorEntry(address);
      if (block == null || address - block.getKey() >= block.getValue()) {
        return false;
      }
    }
    return liveBytes <= held;
  }
}
