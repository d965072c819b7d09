package io.cistern.cli;

import io.cistern.config.PersistentMemory;
import io.cistern.trace.replay.DecodedTrace;
import io.cistern.trace.report.SearchJson;
import io.cistern.trace.report.SearchReport;
import io.cistern.trace.search.LayoutSearch;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Searches a layout. */
@Command(
    name = "tune",
    description = "Search the layout that reserves least memory on one or several traces.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  cistern tune snapshot.pickle -o layout.toml",
      "  cistern tune a.csv b.csv --validate c.csv --max-calls 100 -o layout.toml",
      "  cistern tune trace.csv --budget 5m --evaluations 100000 --seed 7 --json",
      "",
      "Layouts are tried by replaying the traces on the simulated device, on all",
      "cores. The best reserves the fewest bytes over the lower bound, in the geometric",
      "mean, with at most --max-calls driver calls on each trace. The front shows what",
      "nothing beats in both bytes and driver calls. The same seed and number of",
      "evaluations give the same layout; when the time is over before, the number that",
      "is told repeats the result with --evaluations."
    })
final class TuneCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "TRACE",
      arity = "1..*",
      description = "The traces, of any format; gzip or zstd as well.")
  private List<Path> traces;

  @Option(
      names = "--validate",
      paramLabel = "TRACE",
      arity = "1..*",
      description = "Traces that are kept out of the search, to try its result on.")
  private List<Path> validation = List.of();

  @Mixin private ReadingOptions reading;

  @Option(
      names = "--budget",
      paramLabel = "TIME",
      defaultValue = "30s",
      description = "End after so long, such as 30s or 5m (default: ${DEFAULT-VALUE}).")
  private Duration budget;

  @Option(
      names = "--evaluations",
      paramLabel = "N",
      defaultValue = "" + LayoutSearch.DEFAULT_EVALUATIONS,
      description = "Try at most so many layouts (default: ${DEFAULT-VALUE}).")
  private int evaluations;

  @Option(
      names = "--max-calls",
      paramLabel = "N",
      defaultValue = "" + LayoutSearch.DEFAULT_MOST_CALLS,
      description = "Driver calls that the best may take a trace (default: ${DEFAULT-VALUE}).")
  private long mostCalls;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "" + LayoutSearch.DEFAULT_SEED,
      description = "Where random choices come from (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Mixin private SizeOptions sizes;

  @Mixin private LayoutOutput output;

  @Option(names = "--json", description = "Report as JSON.")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // The parser sets the fields.
  TuneCommand() {}

  @Override
  public Integer call() throws IOException {
    check();
    LayoutSearch.Builder described = describe();
    ProgressBar bar = ProgressBar.ofParts(evaluations, "layouts");
    LayoutSearch search = described.progress((done, _) -> bar.at(0, done, done)).build();
    AtomicBoolean interrupted = new AtomicBoolean();
    Runnable stop =
        () -> {
          interrupted.set(true);
          search.interrupt();
        };
    // Until the file is written: the JVM must not end before.
    try (Interruption _ = Interruption.of(stop)) {
      Optional<SearchReport> report = run(search, bar);
      return report.isPresent() ? tell(report.get()) : tellNothing(interrupted.get());
    }
  }

  private static Optional<SearchReport> run(LayoutSearch search, ProgressBar bar)
      throws IOException {
    try (bar) {
      return search.run();
    }
  }

  private void check() {
    traces.forEach(ReadingOptions::check);
    validation.forEach(ReadingOptions::check);
    if (budget.isZero()) {
      throw new WrongUseException("--budget is more than no time at all, such as 30s");
    }
    if (evaluations < 1) {
      throw new WrongUseException("--evaluations is at least 1, not " + evaluations);
    }
    if (mostCalls < 1) {
      throw new WrongUseException("--max-calls is at least 1, not " + mostCalls);
    }
    output.check();
  }

  private LayoutSearch.Builder describe() throws IOException {
    ChosenDevice device = sizes.simulated();
    return LayoutSearch.of(read(traces))
        .validation(read(validation))
        .device(device.options())
        .seed(seed)
        .evaluations(evaluations)
        .mostCalls(mostCalls)
        .budget(budget);
  }

  private List<DecodedTrace> read(List<Path> files) throws IOException {
    List<DecodedTrace> decoded = new ArrayList<>();
    try (ReadingBar bar = ReadingBar.of(files)) {
      for (Path file : files) {
        decoded.add(
            DecodedTrace.read(
                file.toString(), bar.open(file), reading.reading(), reading.isLenient()));
      }
    }
    return decoded;
  }

  private int tellNothing(boolean interrupted) {
    tellError(
        interrupted
            ? "interrupted; nothing was found yet"
            : "no layout was found that serves every request on the simulated device");
    return interrupted ? ExitCodes.INTERRUPTED : ExitCodes.FAILED;
  }

  private int tell(SearchReport report) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(json ? SearchJson.of(report) : TuneText.of(report));
    out.flush();
    output.write(
        report.best().layout().config(), PersistentMemory.ENABLED, TuneText.comment(report));
    output.tell(spec.commandLine(), true, json);
    TuneText.failures(report).forEach(this::tellError);
    return exitCode(report);
  }

  private static int exitCode(SearchReport report) {
    if (report.end() == SearchReport.End.INTERRUPTED) {
      return ExitCodes.INTERRUPTED;
    }
    return report.validation().stream().allMatch(SearchReport.Scored::isGood)
        ? ExitCodes.DONE
        : ExitCodes.FAILED;
  }

  private void tellError(String line) {
    spec.commandLine().getErr().println("cistern: " + line);
  }
}
