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
import org.jspecify.annotations.Nullable;

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

  // By block: where each live slice begins and ends. Blocks that are not mapped yet are left out.
  private final IdentityHashMap<StorageBlock, NavigableMap<Long, Long>> taken =
      new IdentityHashMap<>();

  // By pool: bytes of slices that nobody keeps and work still uses.
  private final Map<Integer, Long> pending = new TreeMap<>();

  /** A handle that is open, and the slice that it is on. */
  public record Held(Allocation allocation, Region region) {
    /** The pool that served it. */
    public int pool() {
      return region.pool;
    }

    /** What was asked for, in bytes. */
    public long size() {
      return region.size;
    }

    /** What rounding it up costs, in bytes. */
    public long padding() {
      return region.padding;
    }

    /** Where it begins in its block, in bytes. */
    public long offset() {
      return region.offset;
    }
  }

  /** A slice, live while anybody keeps it; sizes in bytes. */
  public static final class Region {
    private final int pool;
    private final long size;
    private final long padding;
    private final long offset;
    private @Nullable StorageBlock block;
    private int keepers;
    private int users;

    /** What was asked for, in bytes. */
    public long size() {
      return size;
    }

    private long end() {
      return offset + size + padding;
    }

    /** Whether two of them have a byte in common, as far as it is known where they are. */
    @SuppressWarnings("ReferenceEquality") // A block is one place of the driver, not its value.
    public boolean overlaps(Region other) {
      return block != null && block == other.block && offset < other.end() && other.offset < end();
    }

    private Region(int pool, long size, long padding, long offset) {
      this.pool = pool;
      this.size = size;
      this.padding = padding;
      this.offset = offset;
    }
  }

  /** Live slices together; sizes in bytes. */
  public record Sum(long allocations, long inUse, long padding) {
    private static final Sum NONE = new Sum(0, 0, 0);

    /** Two sums together. */
    public Sum plus(Sum other) {
      return new Sum(allocations + other.allocations, inUse + other.inUse, padding + other.padding);
    }
  }

  /** An empty ledger for a device's alignment. */
  public Ledger(long alignment) {
    this.alignment = alignment;
  }

  /** Enters an allocation that was just made. */
  public Held enter(String name, Allocation allocation, long size, long requestAlignment) {
    return enter(name, allocation, size, requestAlignment, true);
  }

  /** Enters an allocation of a dry run, which must not be asked for its block. */
  public Held enterUnmapped(String name, Allocation allocation, long size) {
    return enter(name, allocation, size, 1, false);
  }

  private Held enter(
      String name, Allocation allocation, long size, long requestAlignment, boolean mapped) {
    long padding = -size & (alignment - 1);
    Region region = new Region(allocation.pool(), size, padding, allocation.byteOffset());
    Held one = new Held(allocation, region);
    assertThat(allocation.byteSize()).as("size of %s", name).isEqualTo(size);
    if (size > 0) {
      long itsAlignment = Math.max(alignment, requestAlignment);
      assertThat(region.offset % itsAlignment).as("offset %s of %s", one.offset(), name).isZero();
      region.block = mapped ? allocation.block() : null;
    }
    put(name, one);
    return one;
  }

  /** Enters another handle on a slice. */
  public void share(String name, Allocation allocation, Region region) {
    put(name, new Held(allocation, region));
  }

  private void put(String name, Held one) {
    assertThat(held.putIfAbsent(name, one)).as("a live %s", name).isNull();
    keep(one.region);
  }

  /** Counts somebody who keeps a slice, a handle or not. */
  public void keep(Region region) {
    region.keepers++;
    if (region.keepers == 1) {
      sums.merge(region.pool, new Sum(1, region.size, region.padding), Sum::plus);
      if (region.users == 0) {
        take(region);
      } else {
        park(region, -1);
      }
    }
  }

  /** Counts somebody off who kept a slice. */
  public void letGo(Region region) {
    region.keepers--;
    if (region.keepers == 0) {
      sums.merge(region.pool, new Sum(-1, -region.size, -region.padding), Sum::plus);
      if (region.users == 0) {
        giveUp(region);
      } else {
        park(region, 1);
      }
    }
  }

  /** Counts work that uses a slice: until it is done the place is taken, whoever keeps it. */
  public void use(Region region) {
    region.users++;
  }

  /** Counts work off that used a slice. */
  public void done(Region region) {
    region.users--;
    if (region.users == 0 && region.keepers == 0) {
      park(region, -1);
      giveUp(region);
    }
  }

  private void park(Region region, int sign) {
    pending.merge(region.pool, sign * (region.size + region.padding), Long::sum);
  }

  private void giveUp(Region region) {
    if (region.block != null) {
      taken.get(region.block).remove(region.offset);
    }
  }

  private void take(Region region) {
    StorageBlock block = region.block;
    if (block == null) {
      return;
    }
    assertThat(region.end()).as("end in its block").isLessThanOrEqualTo(block.byteSize());
    NavigableMap<Long, Long> neighbours = taken.computeIfAbsent(block, b -> new TreeMap<>());
    Map.Entry<Long, Long> before = neighbours.lowerEntry(region.end());
    if (before != null) {
      assertThat(before.getValue())
          .as("end of the slice before the one at %s", region.offset)
          .isLessThanOrEqualTo(region.offset);
    }
    neighbours.put(region.offset, region.end());
  }

  /** Closes a handle and forgets it. */
  public void free(String name) {
    leave(name).allocation.close();
  }

  /** Forgets a handle that is about to be closed. */
  public Held leave(String name) {
    Held one = held.remove(name);
    letGo(one.region);
    return one;
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

  /** The bytes in a pool that nobody keeps and work still uses. */
  public long pending(int pool) {
    return pending.getOrDefault(pool, 0L);
  }

  /** The bytes in all pools that nobody keeps and work still uses. */
  public long pending() {
    return pending.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Whether work ever used a slice that nobody kept. */
  public boolean everPending() {
    return !pending.isEmpty();
  }
}
