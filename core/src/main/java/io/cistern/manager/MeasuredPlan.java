package io.cistern.manager;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.layout.LayoutException;
import io.cistern.layout.PoolLayout;
import io.cistern.layout.ResolvedPool;
import io.cistern.manager.MemoryReport.PoolReport;
import io.cistern.storage.DeviceProperties;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Caps for a workload that are worked out by running it: the caps are its peaks, so that it fits
 * exactly.
 *
 * <pre>{@code
 * memory.install(MeasuredPlan.toMeasure(pools, storage.properties()));
 * try (DryRun _ = memory.openDryRun()) {
 *   workload.run();                                    // costs no memory, and frees all it takes
 * }
 * memory.install(MeasuredPlan.capped(memory.report()));
 * workload.run();                                      // same pools, same offsets, no spill
 * }</pre>
 *
 * <p>The second run is placed like the first, because placement depends on the requests and the
 * layout alone. A cap also decides which sizes a sliced pool accepts: only an uncapped one takes
 * sizes beyond its largest slice that nearly fill a page. So the run that measures needs caps, too,
 * only out of reach.
 *
 * <p>Both layouts keep every entry in its place, also unused ones, so that pools keep their
 * indices. Exclusive and direct pools have no caps and stay as they are.
 */
public final class MeasuredPlan {

  private MeasuredPlan() {}

  /**
   * The layout to measure with: explicit entries, every sliced pool capped at as many pages as
   * 2<sup>63</sup>-1 bytes hold, whatever cap it had. O(pools).
   *
   * @param pools the pools that are wanted
   * @param device the device on which they work
   * @throws LayoutException if the pools can't work on the device
   */
  public static MemoryPoolsConfig.Explicit toMeasure(
      MemoryPoolsConfig pools, DeviceProperties device) {
    List<MemoryPoolConfig> entries = new ArrayList<>();
    for (ResolvedPool pool : PoolLayout.resolve(pools, device).pools()) {
      entries.add(
          pool instanceof ResolvedPool.Sliced sliced
              ? withPages(sliced, Long.MAX_VALUE / sliced.pageByteSize())
              : pool.toEntry());
    }
    return new MemoryPoolsConfig.Explicit(entries);
  }

  /**
   * The layout of a run with every sliced pool capped at the most pages that it held: {@code max(1,
   * pagesPeak) * page_size} bytes. O(pools).
   *
   * @param measured what a run on a {@linkplain #toMeasure layout to measure with} did
   * @throws IllegalArgumentException if the layout has a sliced pool that would accept other sizes
   *     with a cap
   */
  public static MemoryPoolsConfig.Explicit capped(MemoryReport measured) {
    return capped(measured.layout(), List.of(measured));
  }

  /**
   * As {@link #capped(MemoryReport)}, one layout for several streams. A cap holds for each stream;
   * it is the largest of the streams' peaks. O(pools of all streams).
   *
   * @param layout the layout on which they ran
   * @param streams what each of them did; with none, all caps are of one page
   * @throws IllegalArgumentException if a stream had another layout, or the layout has a sliced
   *     pool that would accept other sizes with a cap
   */
  public static MemoryPoolsConfig.Explicit capped(
      PoolLayout layout, Collection<MemoryReport> streams) {
    for (MemoryReport stream : streams) {
      if (!stream.layout().equals(layout)) {
        throw ManagerErrors.otherLayout(layout, stream.layout());
      }
    }
    List<MemoryPoolConfig> entries = new ArrayList<>();
    for (ResolvedPool pool : layout.pools()) {
      int index = entries.size();
      entries.add(
          pool instanceof ResolvedPool.Sliced sliced
              ? capped(index, sliced, pagesPeak(index, streams))
              : pool.toEntry());
    }
    return new MemoryPoolsConfig.Explicit(entries);
  }

  private static long pagesPeak(int pool, Collection<MemoryReport> streams) {
    return streams.stream()
        .map(stream -> stream.pools().get(pool))
        .mapToLong(PoolReport::pagesPeak)
        .max()
        .orElse(0);
  }

  private static MemoryPoolConfig capped(int index, ResolvedPool.Sliced pool, long pagesPeak) {
    if (!pool.isCapped() && pool.maxSliceByteSize() < pool.pageByteSize()) {
      throw ManagerErrors.measuredUncapped(index);
    }
    return withPages(pool, Math.max(1, pagesPeak));
  }

  private static MemoryPoolConfig withPages(ResolvedPool.Sliced pool, long pages) {
    return pool.toEntry().withMaxPoolSize(MemorySize.of(pages * pool.pageByteSize()));
  }
}
