package io.cistern.benchmarks.suite;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * CPU time and garbage of one measuring thread in an iteration. JMH's own profilers count the
 * freeing of all that is live into the last iteration.
 */
@State(Scope.Thread)
public class Spent {

  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  private long cpuNanos;
  private long garbageBytes;

  /** Of something that this thread does. */
  static long cpuNanos(Runnable work) {
    long before = THREADS.getCurrentThreadCpuTime();
    work.run();
    return THREADS.getCurrentThreadCpuTime() - before;
  }

  @Setup(Level.Iteration)
  public void start() {
    garbageBytes = THREADS.getCurrentThreadAllocatedBytes();
    cpuNanos = THREADS.getCurrentThreadCpuTime();
  }

  @TearDown(Level.Iteration)
  public void stop() {
    long cpu = THREADS.getCurrentThreadCpuTime() - cpuNanos;
    long garbage = THREADS.getCurrentThreadAllocatedBytes() - garbageBytes;
    Figures.add(Figures.CPU, (double) cpu);
    Figures.add(Figures.GARBAGE, (double) garbage);
  }
}
