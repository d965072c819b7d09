package io.cistern.benchmarks.suite;

import io.cistern.benchmarks.peers.Allocator;
import io.cistern.benchmarks.suite.Results.Measured;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.openjdk.jmh.runner.RunnerException;

/**
 * One run over cells. Each round measures each cell once, in another order of the allocators, so
 * that noise of the machine hits all alike.
 */
final class Run {

  private final List<Cell> cells;
  private final boolean forks;
  private final String note;
  private final Consumer<String> progress;
  private final int rounds;
  private final double seconds;
  private final Map<Cell, List<Map<String, Double>>> found = new LinkedHashMap<>();
  private double secondsDone;

  /**
   * A run.
   *
   * @param cells what is measured, at least one
   * @param forks whether each is measured by JVMs of its own
   * @param note why it is not the whole run; empty if it is
   * @param progress is told how long it takes, and of each group that was measured
   */
  Run(List<Cell> cells, boolean forks, String note, Consumer<String> progress) {
    this.cells = cells;
    this.forks = forks;
    this.note = note;
    this.progress = progress;
    this.rounds = cells.stream().mapToInt(cell -> cell.plan().forks()).max().orElseThrow();
    this.seconds = cells.stream().mapToDouble(cell -> cell.plan().seconds()).sum();
  }

  /**
   * Measures.
   *
   * @param log where JMH writes what it does
   */
  Results measure(Path log) throws IOException, RunnerException {
    if (!forks) {
      // Figures that mean nothing may be taken beside another run of JMH.
      System.setProperty("jmh.ignoreLock", "true");
    }
    Files.createDirectories(log.toAbsolutePath().getParent());
    Map<Allocator, String> absent = Machine.absent();
    absent.forEach((who, why) -> progress.accept("missing: " + who.title() + ": " + why));
    progress.accept("%d to measure, %s".formatted(cells.size(), minutes(seconds)));
    long start = System.nanoTime();
    measureRounds(log, start);
    return new Results(
        note,
        Machine.facts(),
        Machine.versions(),
        absent,
        LocalDate.now(ZoneOffset.UTC).toString(),
        Math.round(secondsSince(start) / 6) / 10.0,
        found.entrySet().stream()
            .map(one -> new Measured(one.getKey().name(), one.getKey().allocator(), one.getValue()))
            .toList());
  }

  private void measureRounds(Path log, long start) throws IOException, RunnerException {
    try (PrintStream out =
        new PrintStream(Files.newOutputStream(log), true, StandardCharsets.UTF_8)) {
      for (int round = 0; round < rounds; round++) {
        for (List<Cell> group : groups(round)) {
          measure(group, round, start, out);
        }
      }
    } catch (RunnerException e) {
      throw new RunnerException(e.getMessage() + "; JMH's words are in " + log, e);
    }
  }

  /** What a round measures, each group beginning with another allocator in each round. */
  private List<List<Cell>> groups(int round) {
    Map<String, List<Cell>> groups = new LinkedHashMap<>();
    cells.stream()
        .filter(cell -> round < cell.plan().forks())
        .forEach(cell -> groups.computeIfAbsent(cell.group(), _ -> new ArrayList<>()).add(cell));
    groups.values().forEach(group -> Collections.rotate(group, -round * group.size() / rounds));
    return List.copyOf(groups.values());
  }

  private void measure(List<Cell> group, int round, long start, PrintStream log)
      throws RunnerException {
    long groupStart = System.nanoTime();
    for (Cell cell : group) {
      found.computeIfAbsent(cell, _ -> new ArrayList<>()).add(Measurement.of(cell, forks, log));
      secondsDone += cell.plan().seconds() / cell.plan().forks();
    }
    double secondsLeft = secondsSince(start) * (seconds / secondsDone - 1);
    progress.accept(
        "round %d of %d, %s: %d measured in %.0f s, %s left"
            .formatted(
                round + 1,
                rounds,
                group.getFirst().group(),
                group.size(),
                secondsSince(groupStart),
                minutes(secondsLeft)));
  }

  private static double secondsSince(long nanos) {
    return (System.nanoTime() - nanos) / 1e9;
  }

  private static String minutes(double seconds) {
    long minutes = Math.round(seconds / 60);
    return minutes < 1
        ? "under a minute"
        : "about %d minute%s".formatted(minutes, minutes == 1 ? "" : "s");
  }
}
