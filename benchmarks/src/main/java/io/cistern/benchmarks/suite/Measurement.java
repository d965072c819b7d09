package io.cistern.benchmarks.suite;

import java.io.PrintStream;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Measures a cell once, through JMH. */
final class Measurement {

  /** The same for all allocators. */
  static final String[] JVM = {
    // Untouched memory makes the first filling of the young generation several times slower, and
    // all that leaves garbage with it.
    "-XX:+AlwaysPreTouch",
    "-Xms192m",
    "-Xmx2g",
    "-Xmn128m",
    "--enable-native-access=ALL-UNNAMED",
    // Netty's fastest way: otherwise it has the JDK zero and free each buffer larger than a chunk.
    "--sun-misc-unsafe-memory-access=allow",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dio.netty.maxDirectMemory=" + (64L << 30),
    "-XX:MaxDirectMemorySize=64g",
  };

  private Measurement() {}

  /**
   * Measures.
   *
   * @param fork whether by a JVM of its own
   * @param log where JMH writes what it does
   * @return figures of a pair, or of a row of a trace
   */
  static Map<String, Double> of(Cell cell, boolean fork, PrintStream log) throws RunnerException {
    Plan plan = cell.plan();
    TimeValue iteration = TimeValue.milliseconds(plan.millis());
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(cell.benchmark().getName()) + "\\.")
            .forks(fork ? 1 : 0)
            .jvmArgs(JVM)
            .threads(plan.threads())
            .warmupIterations(plan.warmups())
            .warmupTime(iteration)
            .measurementIterations(plan.iterations())
            .measurementTime(iteration)
            .addProfiler(FiguresProfiler.class)
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
    for (String name : Figures.PER_CALL) {
      put(figures, name, all.get(name), cell.callsInPair() / rows);
    }
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
