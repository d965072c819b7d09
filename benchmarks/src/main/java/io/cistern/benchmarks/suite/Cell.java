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
 * What one JVM measures.
 *
 * @param group what is measured one after another, in turns of the allocators
 * @param name the workload's, or the preset's and the trace's
 * @param allocator who does it
 * @param benchmark JMH's class
 * @param parameters of the benchmark
 * @param callsInPair calls of the benchmark in one pair of an allocation and its free
 * @param plan how often and how long
 */
record Cell(
    String group,
    String name,
    Allocator allocator,
    Class<?> benchmark,
    Map<String, String> parameters,
    int callsInPair,
    Plan plan) {

  private static final String TRACE_END = ".csv.gz";

  /** Only what it holds is asked of this one on a trace: whether magazines hold more. */
  static final Allocator WITHOUT_MAGAZINES = Allocator.CONFINED_LONGS;

  /** All, each group's together. */
  static List<Cell> all(Path traces) throws IOException {
    List<Cell> cells = new ArrayList<>();
    for (Workload workload : Workload.values()) {
      for (Allocator allocator : Allocator.values()) {
        if (allocator.whyNot().isEmpty() && workload.whyNot(allocator).isEmpty()) {
          cells.add(of(workload, allocator));
        }
      }
    }
    for (Preset preset : Preset.values()) {
      for (Path trace : files(traces)) {
        cells.add(of(trace, preset, Allocator.fastPath(), Plan.timed(1, 0, 5).withForks(1)));
        cells.add(of(trace, preset, WITHOUT_MAGAZINES, Plan.once()));
      }
    }
    return cells;
  }

  private static Cell of(Workload workload, Allocator allocator) {
    Map<String, String> parameters = new HashMap<>(workload.parameters);
    parameters.put("allocator", allocator.name());
    return new Cell(
        workload.id,
        workload.id,
        allocator,
        workload.benchmark,
        Map.copyOf(parameters),
        workload.callsInPair(),
        workload.plan);
  }

  private static Cell of(Path trace, Preset preset, Allocator allocator, Plan plan) {
    return new Cell(
        nameOf("traces", preset),
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
        plan);
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

  Cell with(Plan other) {
    return new Cell(group, name, allocator, benchmark, parameters, callsInPair, other);
  }

  /** What a pattern is searched in. */
  @Override
  public String toString() {
    return allocator + " " + name;
  }
}
