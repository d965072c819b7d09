package io.cistern.benchmarks.suite;

import io.cistern.benchmarks.peers.Allocator;
import io.cistern.config.MemoryPoolsConfig.Preset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures all allocators side by side, and writes the results and their page. */
@Command(
    name = "benchmarks/run",
    description = {
      "Measures Cistern and its peers side by side, and writes benchmarks/results.json and"
          + " docs/performance.md. With --short, --only or --forks they are written below"
          + " benchmarks/target instead."
    },
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
      description = "Measures each cell at most so often (default: 3, 4 with two threads).")
  private int forks = Integer.MAX_VALUE;

  @Option(names = "--report-only", description = "Writes the page again, from the kept results.")
  private boolean reportOnly;

  @Option(
      names = "--home",
      paramLabel = "FOLDER",
      description = "The repository's root (default: the working directory).")
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
    if (forks < 1) {
      throw new IllegalArgumentException("--forks is " + forks + "; it is 1 or more");
    }
    boolean whole = !quick && only == null && forks == Integer.MAX_VALUE;
    Path folder = home.resolve("benchmarks/target/" + (quick ? "short" : "only"));
    Path results = whole ? home.resolve("benchmarks/" + RESULTS) : folder.resolve(RESULTS);
    Path page = whole ? home.resolve("docs/" + PAGE) : folder.resolve(PAGE);
    if (!reportOnly) {
      new Run(cells(), !quick, note(), System.out::println)
          .measure(home.resolve("benchmarks/target/jmh.log"))
          .write(results);
    } else if (!Files.exists(results)) {
      throw new IllegalArgumentException(
          "--report-only finds no " + results.normalize() + "; a run without it writes one");
    }
    Files.writeString(page, new Page(Results.read(results)).text());
    System.out.println("written: " + results.normalize() + ", " + page.normalize());
    return 0;
  }

  private String note() {
    if (quick) {
      return "A short run: each cell for a moment, all in one JVM. The figures mean nothing.";
    }
    List<String> parts = new ArrayList<>();
    if (only != null) {
      parts.add("only cells with `" + only + "`");
    }
    if (forks != Integer.MAX_VALUE) {
      parts.add("by at most " + forks + " JVMs each");
    }
    return parts.isEmpty() ? "" : "A part of the suite: " + String.join(", ", parts) + ".";
  }

  private List<Cell> cells() throws IOException {
    List<Cell> all = quick ? quickCells(home) : Cell.all(home.resolve("traces"));
    List<Cell> wanted =
        only == null
            ? all
            : all.stream().filter(cell -> only.matcher(cell.toString()).find()).toList();
    if (wanted.isEmpty()) {
      throw new IllegalArgumentException(
          "--only %s is found in no cell; one is '%s'".formatted(only, all.getFirst()));
    }
    return wanted.stream().map(cell -> cell.with(cell.plan().withForks(forks))).toList();
  }

  /** All workloads, each for a moment, by those whom it takes no longer. */
  static List<Cell> quickCells(Path home) throws IOException {
    return Cell.all(home.resolve("traces")).stream()
        .filter(Suite::isQuick)
        .map(cell -> cell.with(cell.plan().forAMoment()))
        .toList();
  }

  /** Many live, large ones and traces take long for each allocator: one shows that they run. */
  private static boolean isQuick(Cell cell) {
    return cell.allocator() == Allocator.fastPath()
        ? !cell.name().startsWith(Preset.EXCLUSIVE_PAGES.text())
        : FEW_LIVE.contains(cell.name());
  }
}
