package io.cistern.benchmarks.suite;

import io.cistern.benchmarks.peers.Allocator;
import io.cistern.config.MemoryPoolsConfig.Preset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What is measured by one JVM at a time.
 *
 * @param name the workload's, or the preset's and the trace's
 * @param allocator who does it
 * @param benchmark JMH's class
 * @param parameters of the benchmark
 * @param threads how many run it
 * @param forks how often it is measured, each time by a fresh JVM
 * @param callsInPair calls of the benchmark in one pair
 */
record Cell(
    String name,
    Allocator allocator,
    Class<?> benchmark,
    Map<String, String> parameters,
    int threads,
    int forks,
    int callsInPair) {

  private static final String TRACE_END = ".csv.gz";

  /** The confined one shows what magazines hold beside it. */
  private static final List<Allocator> ON_TRACES =
      List.of(Allocator.fastPath(), Allocator.CONFINED_LONGS);

  /** All, each workload's together. */
  static List<Cell> all(Path traces) throws IOException {
    List<Cell> cells = new ArrayList<>();
    for (Workload workload : Workload.values()) {
      for (Allocator allocator : Allocator.values()) {
        if (whyNot(workload, allocator).isEmpty()) {
          cells.add(of(workload, allocator));
        }
      }
    }
    for (Path trace : files(traces)) {
      for (Preset preset : Preset.values()) {
        ON_TRACES.forEach(allocator -> cells.add(of(trace, preset, allocator)));
      }
    }
    return cells;
  }

  /** Why an allocator does not take part in a workload here; empty if it does. */
  static String whyNot(Workload workload, Allocator allocator) {
    return allocator.whyNot().or(() -> workload.whyNot(allocator)).orElse("");
  }

  private static Cell of(Workload workload, Allocator allocator) {
    Map<String, String> parameters = new HashMap<>(workload.parameters);
    parameters.put("allocator", allocator.name());
    return new Cell(
        workload.id,
        allocator,
        workload.benchmark,
        Map.copyOf(parameters),
        workload.threads(),
        workload.forks(),
        workload.callsInPair());
  }

  private static Cell of(Path trace, Preset preset, Allocator allocator) {
    return new Cell(
        nameOf(traceName(trace), preset),
        allocator,
        TraceReplay.class,
        Map.of(
            "allocator",
            allocator.name(),
            "preset",
            preset.name(),
            "trace",
            trace.toAbsolutePath().toString()),
        1,
        1,
        1);
  }

  /** The name of a trace on a preset. */
  static String nameOf(String trace, Preset preset) {
    return preset.text() + " " + trace;
  }

  private static String traceName(Path trace) {
    return trace.getFileName().toString().replace(TRACE_END, "");
  }

  private static List<Path> files(Path traces) throws IOException {
    try (Stream<Path> files = Files.list(traces)) {
      return files.filter(file -> file.toString().endsWith(TRACE_END)).sorted().toList();
    }
  }

  /** What a pattern is searched in. */
  @Override
  public String toString() {
    return allocator + " " + name;
  }
}
