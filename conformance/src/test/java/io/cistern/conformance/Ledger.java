package io.cistern.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.manager.Allocation;
import io.cistern.storage.StorageBlock;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What the test itself knows to be live: the handles by name, their sizes summed by pool, and the
 * places that they take.
 *
 * <p>A slice that overlaps another, leaves its block or misses its alignment is found when it is
 * entered.
 */
public final class Ledger {

  private final long alignment;
  private final Map<String, Held> held = new LinkedHashMap<>();
  private final Map<Integer, Sum> sums = new TreeMap<>();

  // By block: where each live slice begins and ends.
  private final IdentityHashMap<StorageBlock, NavigableMap<Long, Long>> taken =
      new IdentityHashMap<>();

  /** A live allocation; sizes in bytes. */
  public record Held(Allocation allocation, int pool, long size, long padding, long offset) {}

  /** Live allocations together; sizes in bytes. */
  public record Sum(long allocations, long inUse, long padding) {
    private static final Sum NONE = new Sum(0, 0, 0);

    /** Two sums together. */
    public Sum plus(Sum other) {
      return new Sum(allocations + other.allocations, inUse + other.inUse, padding + other.padding);
    }

    private Sum plus(Held one, int sign) {
      return plus(new Sum(sign, sign * one.size, sign * one.padding));
    }
  }

  /** An empty ledger for a device's alignment. */
  public Ledger(long alignment) {
    this.alignment = alignment;
  }

  /** Enters an allocation that was just made. */
  public Held enter(String name, Allocation allocation, long size, long requestAlignment) {
    long padding = -size & (alignment - 1);
    Held one = new Held(allocation, allocation.pool(), size, padding, allocation.byteOffset());
    assertThat(allocation.byteSize()).as("size of %s", name).isEqualTo(size);
    if (size > 0) {
      take(name, one, Math.max(alignment, requestAlignment));
    }
    assertThat(held.putIfAbsent(name, one)).as("a live %s", name).isNull();
    sums.merge(one.pool, Sum.NONE.plus(one, 1), Sum::plus);
    return one;
  }

  private void take(String name, Held one, long itsAlignment) {
    StorageBlock block = one.allocation.block();
    long begin = one.offset;
    long end = begin + one.size + one.padding;
    assertThat(begin % itsAlignment).as("offset %s of %s", begin, name).isZero();
    assertThat(end).as("end of %s in its block", name).isLessThanOrEqualTo(block.byteSize());
    NavigableMap<Long, Long> neighbours = taken.computeIfAbsent(block, b -> new TreeMap<>());
    Map.Entry<Long, Long> before = neighbours.lowerEntry(end);
    if (before != null) {
      assertThat(before.getValue())
          .as("end of the slice before %s", name)
          .isLessThanOrEqualTo(begin);
    }
    neighbours.put(begin, end);
  }

  /** Closes an allocation and forgets it. */
  public void free(String name) {
    Held one = held.remove(name);
    if (one.size > 0) {
      StorageBlock block = one.allocation.block();
      taken.get(block).remove(one.offset);
      if (taken.get(block).isEmpty()) {
        taken.remove(block);
      }
    }
    sums.merge(one.pool, Sum.NONE.plus(one, -1), Sum::plus);
    one.allocation.close();
  }

  /** Whether an allocation of that name is live. */
  public boolean holds(String name) {
    return held.containsKey(name);
  }

  /** A live allocation. */
  public Held get(String name) {
    return held.get(name);
  }

  /** The names of what is live, oldest first; a copy. */
  public List<String> names() {
    return new ArrayList<>(held.keySet());
  }

  /** What is live in a pool. */
  public Sum of(int pool) {
    return sums.getOrDefault(pool, Sum.NONE);
  }

  /** What is live in all pools. */
  public Sum total() {
    return sums.values().stream().reduce(Sum.NONE, Sum::plus);
  }
}
