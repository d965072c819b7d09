package io.cistern.benchmarks.suite;

import java.io.PrintStream;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Measures a cell once, through JMH.
 *
 * @param forks whether by a JVM of its own
 * @param warmups how often for {@code warmup} before
 * @param warmup for how long
 * @param iterations how often for {@code iteration}
 * @param iteration for how long
 */
record Measurement(
    boolean forks, int warmups, TimeValue warmup, int iterations, TimeValue iteration) {

  /** For figures. */
  static final Measurement FULL =
      new Measurement(true, 3, TimeValue.milliseconds(300), 5, TimeValue.milliseconds(200));

  /** Shows that it runs. */
  static final Measurement SHORT =
      new Measurement(false, 1, TimeValue.milliseconds(10), 1, TimeValue.milliseconds(10));

  /** The same for all allocators. */
  static final String[] JVM = {
    "-Xms2g",
    "-Xmx2g",
    // So small that all of it has been used before measuring begins.
    "-Xmn256m",
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    // Otherwise as much as the heap.
    "-Dio.netty.maxDirectMemory=0",
    "-XX:MaxDirectMemorySize=16g",
  };

  /**
   * Measures.
   *
   * @param log where JMH writes what it does
   * @return figures of a pair, or of a row of a trace
   */
  Map<String, Double> of(Cell cell, PrintStream log) throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(cell.benchmark().getName()) + "\\.")
            .forks(forks ? 1 : 0)
            .jvmArgs(JVM)
            .threads(cell.threads())
            .warmupIterations(warmups)
            .warmupTime(warmup)
            .measurementIterations(iterations)
            .measurementTime(iteration)
            .addProfiler(GCProfiler.class)
            .addProfiler(CellProfiler.class)
            .shouldFailOnError(true);
    cell.parameters().forEach(options::param);
    OutputFormat format = OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL);
    Collection<RunResult> results = new Runner(options.build(), format).run();
    return figures(cell, results.iterator().next());
  }

  private static Map<String, Double> figures(Cell cell, RunResult result) {
    Map<String, Double> all = new HashMap<>();
    result.getSecondaryResults().forEach((name, one) -> all.put(name, one.getScore()));
    double rows = all.getOrDefault(Figures.OPERATIONS, 1.0);
    Map<String, Double> figures = new HashMap<>();
    // Threads that hand over work at one pair at the same time.
    put(figures, Results.WALL, result.getPrimaryResult().getScore(), 1 / rows);
    put(figures, CellProfiler.CPU, all.get(CellProfiler.CPU), cell.callsInPair() / rows);
    put(figures, Results.GARBAGE, all.get("gc.alloc.rate.norm"), cell.callsInPair() / rows);
    for (String name :
        new String[] {Figures.HELD, Figures.PEAK_LIVE, Figures.FILL, Figures.EMPTY, Figures.HEAP}) {
      put(figures, name, all.get(name), 1);
    }
    return figures;
  }

  private static void put(
      Map<String, Double> figures, String name, @Nullable Double value, double factor) {
    if (value != null) {
      // Three decimals are more than is repeatable.
      figures.put(name, Math.round(value * factor * 1000) / 1000.0);
    }
  }
}
