package io.cistern.benchmarks.suite;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
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

  static final String CPU = "cpu";

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
    List<ScalarResult> results = new ArrayList<>();
    double perCall = (double) (cpuNanos() - cpuBefore) / result.getMetadata().getAllOps();
    results.add(new ScalarResult(CPU, perCall, "ns/op", AggregationPolicy.AVG));
    Figures.noted()
        .forEach(
            (name, value) -> results.add(new ScalarResult(name, value, "", AggregationPolicy.MAX)));
    return results;
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
