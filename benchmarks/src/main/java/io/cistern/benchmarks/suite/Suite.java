package io.cistern.benchmarks.suite;

import io.cistern.benchmarks.peers.Allocator;
import io.cistern.benchmarks.suite.Results.Measured;
import io.cistern.config.MemoryPoolsConfig.Preset;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures all allocators side by side, and writes the results and their page.
 *
 * <p>Each round measures each cell once, in another order of the allocators, so that noise of the
 * machine hits all alike.
 */
@Command(
    name = "benchmarks/run",
    description = "Measures Cistern and its peers side by side, and writes docs/performance.md.",
    mixinStandardHelpOptions = true)
public final class Suite implements Callable<Integer> {

  private static final String RESULTS = "results.json";
  private static final String PAGE = "performance.md";

  private static final Set<String> FEW_LIVE =
      Set.of(
          Workload.FIXED.id,
          Workload.LIVE_1.id,
          Workload.LIVE_100.id,
          Workload.FIXED_TWICE.id,
          Workload.HAND_OVER.id);

  @Option(
      names = "--short",
      description = "Runs every workload for a moment, in one JVM: figures mean nothing.")
  private boolean quick;

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      description =
          "Measures the cells whose ALLOCATOR WORKLOAD holds the pattern, such as 'fixed|N=100$'.")
  private @Nullable Pattern only;

  @Option(
      names = "--forks",
      paramLabel = "N",
      description = "Measures each cell at most so often (default: 3, 5 with two threads).")
  private int atMost = Integer.MAX_VALUE;

  @Option(names = "--report-only", description = "Writes the page again, from the kept results.")
  private boolean reportOnly;

  @Option(
      names = "--home",
      paramLabel = "FOLDER",
      description = "The repository's root (default: ${DEFAULT-VALUE}).")
  private Path home = Path.of("");

  /**
   * Measures.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new Suite())
            .setExecutionExceptionHandler(
                (e, line, _) -> {
                  line.getErr().println(e.getMessage());
                  return 1;
                })
            .execute(arguments));
  }

  @Override
  public Integer call() throws IOException, RunnerException {
    boolean whole = !quick && only == null && atMost == Integer.MAX_VALUE;
    Path folder = home.resolve("benchmarks/target/" + (quick ? "short" : "only"));
    Path results = whole ? home.resolve("benchmarks/" + RESULTS) : folder.resolve(RESULTS);
    Path page = whole ? home.resolve("docs/" + PAGE) : folder.resolve(PAGE);
    if (!reportOnly) {
      Predicate<String> wanted = only == null ? _ -> true : only.asPredicate();
      measure(
              home,
              quick ? Measurement.SHORT : Measurement.FULL,
              atMost,
              wanted,
              System.out::println)
          .write(results);
    }
    Files.writeString(page, new Page(Results.read(results)).text());
    System.out.println("written: " + results + ", " + page);
    return 0;
  }

  /**
   * Measures.
   *
   * @param home the repository's root
   * @param how each cell
   * @param atMost how often at most
   * @param wanted which cells, by their text
   * @param progress is told of each that was measured
   */
  static Results measure(
      Path home, Measurement how, int atMost, Predicate<String> wanted, Consumer<String> progress)
      throws IOException, RunnerException {
    boolean quick = !how.forks();
    if (quick) {
      // Figures that mean nothing may be taken beside another run of JMH.
      System.setProperty("jmh.ignoreLock", "true");
    }
    long start = System.nanoTime();
    List<Cell> cells =
        Cell.all(home.resolve("traces")).stream()
            .filter(cell -> wanted.test(cell.toString()))
            .filter(cell -> !quick || isQuick(cell))
            .toList();
    if (cells.isEmpty()) {
      throw new IllegalArgumentException(
          "the pattern is found in no cell; cells are such as "
              + Cell.all(home.resolve("traces")).getFirst());
    }
    Map<Cell, List<Map<String, Double>>> found = new LinkedHashMap<>();
    Path log = home.resolve("benchmarks/target/jmh.log");
    Files.createDirectories(log.toAbsolutePath().getParent());
    try (PrintStream out =
        new PrintStream(Files.newOutputStream(log), true, StandardCharsets.UTF_8)) {
      measure(cells, found, how, Math.min(quick ? 1 : Integer.MAX_VALUE, atMost), progress, out);
    } catch (RunnerException e) {
      throw new RunnerException(e.getMessage() + "; JMH's words are in " + log, e);
    }
    return new Results(
        Machine.facts(),
        Machine.versions(),
        LocalDate.now(ZoneOffset.UTC).toString(),
        Math.round((System.nanoTime() - start) / 6e9) / 10.0,
        found.entrySet().stream()
            .map(one -> new Measured(one.getKey().name(), one.getKey().allocator(), one.getValue()))
            .toList());
  }

  /** Many live, large ones and traces take long for each allocator: one shows that they run. */
  private static boolean isQuick(Cell cell) {
    return cell.allocator() == Allocator.fastPath()
        ? !cell.name().startsWith(Preset.EXCLUSIVE_PAGES.text())
        : FEW_LIVE.contains(cell.name());
  }

  private static void measure(
      List<Cell> cells,
      Map<Cell, List<Map<String, Double>>> found,
      Measurement how,
      int atMost,
      Consumer<String> progress,
      PrintStream log)
      throws RunnerException {
    int rounds = Math.min(atMost, cells.stream().mapToInt(Cell::forks).max().orElseThrow());
    for (int round = 0; round < rounds; round++) {
      for (Cell cell : inOrder(cells, round)) {
        if (round < cell.forks()) {
          Map<String, Double> figures = how.of(cell, log);
          found.computeIfAbsent(cell, _ -> new ArrayList<>()).add(figures);
          progress.accept(
              "round %d of %d, %s: %s ns"
                  .formatted(round + 1, rounds, cell, figures.get(Results.WALL)));
        }
      }
    }
  }

  /** Workload by workload; within each, the allocators begin with another one in each round. */
  private static List<Cell> inOrder(List<Cell> cells, int round) {
    Map<String, List<Cell>> byName = new LinkedHashMap<>();
    cells.forEach(cell -> byName.computeIfAbsent(cell.name(), _ -> new ArrayList<>()).add(cell));
    int first = round * Allocator.values().length / 3;
    List<Cell> ordered = new ArrayList<>();
    for (List<Cell> same : byName.values()) {
      for (int i = 0; i < same.size(); i++) {
        ordered.add(same.get((first + i) % same.size()));
      }
    }
    return ordered;
  }
}
