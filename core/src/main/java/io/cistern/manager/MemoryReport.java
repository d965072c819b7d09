package io.cistern.manager;

import io.cistern.MemorySize;
import io.cistern.MemoryUsage;
import io.cistern.layout.PoolLayout;
import io.cistern.layout.ResolvedPool;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a manager's pools hold and have done since the layout was installed.
 *
 * @param layout the layout in force
 * @param usage all pools together
 * @param pools each pool of the layout, in routing order
 * @param persistent the persistent pool, which stands beside the layout; its marks are since the
 *     manager was opened
 */
public record MemoryReport(
    PoolLayout layout, MemoryUsage usage, List<PoolReport> pools, PoolReport persistent) {

  /** Makes a report; the list is copied. */
  public MemoryReport {
    pools = List.copyOf(pools);
  }

  /** The pools of the layout, and behind them the persistent one. */
  public List<PoolReport> allPools() {
    return Stream.concat(pools.stream(), Stream.of(persistent)).toList();
  }

  /**
   * One pool.
   *
   * @param index its place in routing order; -1 is the persistent pool
   * @param config its kind and sizes
   * @param usage what its memory is used for
   * @param pages pages or blocks held
   * @param pagesPeak the most held at once
   * @param pagesUnmapped those of {@code pages} that the driver does not stand behind yet
   * @param largestAlloc the largest request served
   * @param served requests served
   * @param spills requests that went on to a later pool because this one was full
   * @param driverAllocations blocks that the driver made for it
   * @param driverFrees blocks that the driver took back
   * @param free what could be given out without growing
   * @param largestFree the largest run of it
   */
  public record PoolReport(
      int index,
      ResolvedPool config,
      MemoryUsage usage,
      long pages,
      long pagesPeak,
      long pagesUnmapped,
      MemorySize largestAlloc,
      long served,
      long spills,
      long driverAllocations,
      long driverFrees,
      MemorySize free,
      MemorySize largestFree) {}

  /**
   * One page or block of a pool.
   *
   * @param size its size
   * @param free what is free on it
   * @param largestFree the largest free run
   * @param slices the live slices on it
   */
  public record PageReport(MemorySize size, MemorySize free, MemorySize largestFree, int slices) {}
}
