package io.cistern.safety;

import io.cistern.LiveAllocation;
import io.cistern.MemoryFault;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What is known of the free bytes of one block: up to a mark they hold the pattern, and whose they
 * were last.
 */
final class PoisonedBlock {

  private final String name;
  private final byte freed;
  private final Consumer<MemoryFault> faults;

  // Below this offset every free byte holds the pattern; above it nothing was ever used.
  private long used;

  // By offset; none overlaps another.
  private final TreeMap<Long, Past> past = new TreeMap<>();

  /** Who had bytes last. */
  private record Past(long end, LiveAllocation owner) {}

  PoisonedBlock(String name, byte freed, Consumer<MemoryFault> faults) {
    this.name = name;
    this.freed = freed;
    this.faults = faults;
  }

  void take(MemorySegment block, long from, long byteSize) {
    long end = from + byteSize;
    if (from > used) {
      block.asSlice(used, from - used).fill(freed); // Left free for the sake of an alignment.
    } else {
      look(block, from, Math.min(end, used));
    }
    used = Math.max(used, end);
    forget(from, end);
  }

  void release(MemorySegment block, long from, long byteSize, LiveAllocation owner) {
    block.asSlice(from, byteSize).fill(freed);
    past.put(from, new Past(from + byteSize, owner));
  }

  void fillAll(MemorySegment block) {
    block.fill(freed);
    used = block.byteSize();
  }

  /** Looks at the whole block, which is free. */
  void check(MemorySegment block) {
    look(block, 0, used);
  }

  private void look(MemorySegment block, long from, long end) {
    MemorySegment bytes = block.asSlice(from, end - from);
    long first = Bytes.firstChanged(bytes, freed);
    if (first >= 0) {
      long last = Bytes.lastChanged(bytes, freed);
      faults.accept(
          new MemoryFault(
              MemoryFault.Kind.LATE_WRITE,
              name,
              from + first,
              last - first + 1,
              lastOwner(from + first)));
    }
  }

  private Optional<LiveAllocation> lastOwner(long offset) {
    Map.Entry<Long, Past> before = past.floorEntry(offset);
    return before != null && offset < before.getValue().end
        ? Optional.of(before.getValue().owner)
        : Optional.empty();
  }

  /** Bytes have another owner now; what is left of a past on either side is kept. O(log pasts). */
  private void forget(long from, long end) {
    cut(from);
    cut(end);
    past.subMap(from, end).clear();
  }

  /** Makes two pasts of one that reaches over an offset. */
  private void cut(long at) {
    Map.Entry<Long, Past> below = past.lowerEntry(at);
    if (below != null && below.getValue().end > at) {
      past.put(at, below.getValue());
      past.put(below.getKey(), new Past(at, below.getValue().owner));
    }
  }
}
