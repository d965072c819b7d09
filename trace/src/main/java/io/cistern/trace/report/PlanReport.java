package io.cistern.trace.report;

import io.cistern.layout.PoolLayout;
import io.cistern.layout.ResolvedPool;
import io.cistern.manager.MemoryReport.PoolReport;
import java.util.function.ToLongFunction;

/**
 * What came of a plan.
 *
 * @param subject what was planned for what; its layout is the one that the plan began with
 * @param measured what the pools did in the dry run, their caps out of reach
 * @param replayed what they did with memory, each stream's pools capped at that stream's peaks
 * @param placedAlike whether both served each request from the same pool and at the same offset
 * @param layout the planned layout: one for all streams, each cap the largest of the streams' peaks
 */
public record PlanReport(
    ReplayReport.Subject subject,
    ReplayReport.Figures measured,
    ReplayReport.Figures replayed,
    boolean placedAlike,
    PoolLayout layout) {

  /** Whether each request was served from the same place below the caps, and none was passed on. */
  public boolean fits() {
    return placedAlike && replayed.refused() == 0 && replayed.spills() == 0;
  }

  /**
   * The bytes of the most pages that each sliced pool of each stream held. They are not held all at
   * once if the peaks came at different times.
   */
  public long peakPagesByteSize() {
    return sumOverSliced(measured, pool -> pool.pagesPeak() * pageByteSize(pool));
  }

  /** The caps of the sliced pools of all streams, in bytes: an unused pool is capped at a page. */
  public long cappedByteSize() {
    return sumOverSliced(measured, pool -> Math.max(1, pool.pagesPeak()) * pageByteSize(pool));
  }

  private static long sumOverSliced(
      ReplayReport.Figures figures, ToLongFunction<PoolReport> byteSize) {
    return figures.pools().stream()
        .map(ReplayReport.PoolFigures::report)
        .filter(pool -> pool.config() instanceof ResolvedPool.Sliced)
        .mapToLong(byteSize)
        .sum();
  }

  private static long pageByteSize(PoolReport pool) {
    return ((ResolvedPool.Sliced) pool.config()).pageByteSize();
  }
}
