package io.cistern.benchmarks.suite;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cistern.benchmarks.peers.Allocator;
import io.cistern.config.MemoryPoolsConfig.Preset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * What a run found, as it is kept.
 *
 * @param note why figures are not those of a whole run; empty if they are
 * @param machine what it ran on, without the machine's name
 * @param versions of the allocators
 * @param absent allocators that the machine lacks, and why
 * @param day when
 * @param minutes how long it took
 * @param cells what was measured
 */
record Results(
    String note,
    Map<String, String> machine,
    List<String> versions,
    Map<Allocator, String> absent,
    String day,
    double minutes,
    List<Measured> cells) {

  /** Nanoseconds of a pair, by the clock. */
  static final String WALL = "wall";

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * One cell.
   *
   * @param name of the cell
   * @param allocator who did it
   * @param forks what each JVM found, by the figure's name
   */
  record Measured(String name, Allocator allocator, List<Map<String, Double>> forks) {

    /** The median over forks; empty if it was not measured. */
    OptionalDouble median(String figure) {
      return Results.median(
          forks.stream()
              .flatMap(fork -> Stream.ofNullable(fork.get(figure)))
              .mapToDouble(value -> value));
    }
  }

  static OptionalDouble median(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2);
  }

  /** Whether any allocator did a workload. */
  boolean has(Workload workload) {
    return cells.stream().anyMatch(cell -> cell.name.equals(workload.id));
  }

  /** The names of the traces that were replayed on a preset. */
  Stream<String> traces(Preset preset) {
    String start = Cell.nameOf("", preset);
    return cells.stream()
        .map(Measured::name)
        .filter(name -> name.startsWith(start))
        .map(name -> name.substring(start.length()))
        .distinct();
  }

  /** Why an allocator does not take part in a workload; empty if it does. */
  Optional<String> whyNot(Workload workload, Allocator allocator) {
    return Optional.ofNullable(absent.get(allocator)).or(() -> workload.whyNot(allocator));
  }

  /** The time that tells; empty if it was not measured. */
  OptionalDouble time(Workload workload, Allocator allocator) {
    return median(workload.id, allocator, workload.time());
  }

  /** The least time of some peers; empty if one that takes part was not measured. */
  OptionalDouble best(Workload workload, Predicate<Allocator> among) {
    List<OptionalDouble> times =
        Allocator.peers().stream()
            .filter(among)
            .filter(peer -> whyNot(workload, peer).isEmpty())
            .map(peer -> time(workload, peer))
            .toList();
    return times.stream().anyMatch(OptionalDouble::isEmpty)
        ? OptionalDouble.empty()
        : times.stream().mapToDouble(OptionalDouble::getAsDouble).min();
  }

  /** The median of a figure; empty if it was not measured. */
  OptionalDouble median(String name, Allocator allocator, String figure) {
    return cells.stream()
        .filter(cell -> cell.name.equals(name) && cell.allocator == allocator)
        .map(cell -> cell.median(figure))
        .findFirst()
        .orElse(OptionalDouble.empty());
  }

  /** Held over peak live bytes; empty if it was not measured. */
  OptionalDouble overhead(String name, Allocator allocator) {
    return ratio(median(name, allocator, Figures.HELD), median(name, allocator, Figures.PEAK_LIVE));
  }

  static OptionalDouble ratio(OptionalDouble one, OptionalDouble other) {
    return one.isEmpty() || other.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(one.getAsDouble() / other.getAsDouble());
  }

  /** Reads what {@link #write} wrote. */
  static Results read(Path file) throws IOException {
    try {
      return JSON.readValue(file.toFile(), Results.class);
    } catch (JacksonException e) {
      throw new IOException(file + " holds no results: " + e.getOriginalMessage(), e);
    }
  }

  /** One cell a line, for changes to be seen. */
  void write(Path file) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("{\"note\": ").append(JSON.writeValueAsString(note));
    text.append(",\n \"machine\": ").append(JSON.writeValueAsString(new TreeMap<>(machine)));
    text.append(",\n \"versions\": ").append(JSON.writeValueAsString(versions));
    text.append(",\n \"absent\": ").append(JSON.writeValueAsString(new TreeMap<>(absent)));
    text.append(",\n \"day\": ").append(JSON.writeValueAsString(day));
    text.append(",\n \"minutes\": ").append(minutes);
    text.append(",\n \"cells\": [");
    String separator = "\n  ";
    for (Measured cell : cells) {
      text.append(separator).append(JSON.writeValueAsString(cell));
      separator = ",\n  ";
    }
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, text.append("\n ]}\n"));
  }
}
