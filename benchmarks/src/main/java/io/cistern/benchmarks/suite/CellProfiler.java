package io.cistern.benchmarks.suite;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * The CPU time of the threads that run the benchmark, in nanoseconds a call, and the {@link
 * Figures}. Public for JMH, which makes it in the JVM that measures.
 */
public final class CellProfiler implements InternalProfiler {

  private static final String WORKER = "-jmh-worker-";

  private long cpuBefore;

  @Override
  public String getDescription() {
    return "CPU time of the measuring threads, and what benchmarks note";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    cpuBefore = cpuNanos();
  }

  @Override
  public Collection<ScalarResult> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    Map<String, Double> figures = new HashMap<>();
    figures.put(Figures.CPU, (double) (cpuNanos() - cpuBefore) / result.getMetadata().getAllOps());
    figures.putAll(Figures.noted());
    List<ScalarResult> results = new ArrayList<>();
    figures.forEach(
        (name, value) -> results.add(new ScalarResult(name, value, "", ofIterations(name))));
    return results;
  }

  /** What all iterations together have of a figure that each has. */
  private static AggregationPolicy ofIterations(String figure) {
    return switch (figure) {
      case Figures.CPU, Figures.GARBAGE -> AggregationPolicy.AVG;
      default -> AggregationPolicy.MAX;
    };
  }

  private static long cpuNanos() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long nanos = 0;
    for (var thread : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().contains(WORKER)) {
        nanos += Math.max(0, threads.getThreadCpuTime(thread.getThreadId()));
      }
    }
    return nanos;
  }
}
