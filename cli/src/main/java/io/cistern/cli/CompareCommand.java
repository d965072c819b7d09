package io.cistern.cli;

import io.cistern.config.MemoryPoolsConfig.Preset;
import io.cistern.trace.picture.HtmlComparison;
import io.cistern.trace.report.CompareJson;
import io.cistern.trace.report.CompareReport;
import io.cistern.trace.search.Comparison;
import io.cistern.trace.search.NamedLayout;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares layouts. */
@Command(
    name = "compare",
    description = "Replay traces on several layouts, and show side by side what they cost.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    defaultValueProvider = SimulatedByDefault.class,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  cistern compare traces/cpu-pt-gpt-train.csv.gz",
      "  cistern compare a.csv b.csv --html report.html",
      "  cistern compare a.csv b.pickle --layout sub-slices --layout layout.toml --json",
      "",
      "Without --layout, both presets are compared. The overhead is the peak reserved",
      "over the lower bound: the most bytes that the live slices take at once, each",
      "rounded up to the alignment, below which no layout can go. The simulated device",
      "runs one replay on each core, another device one at a time. Times are of one",
      "pass in a cold JVM beside other work: \"cistern replay --repeat\" measures them.",
      "Exit code 1: a request was refused."
    })
final class CompareCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "TRACE",
      arity = "1..*",
      description = "The traces, of any format; gzip or zstd as well.")
  private List<Path> traces;

  @Mixin private ReadingOptions reading;

  @Mixin private LayoutsOption layouts;

  @Mixin private DeviceOptions deviceOptions;

  @Option(names = "--json", description = "Report as JSON.")
  private boolean json;

  @Mixin private HtmlOutput html;

  @SuppressWarnings("NullAway.Init") // The parser sets the fields.
  CompareCommand() {}

  @Override
  public Integer call() throws IOException {
    traces.forEach(ReadingOptions::check);
    html.check();
    ChosenDevice device = deviceOptions.choose();
    List<NamedLayout> named =
        layouts.layoutsFor(
            device.properties(), Arrays.stream(Preset.values()).map(Preset::text).toList());
    ProgressBar bar = ProgressBar.ofBytes(byteSize() * (1 + named.size()));
    Comparison comparison =
        Comparison.of(traces, named)
            .reading(reading.reading())
            .lenient(reading.isLenient())
            .devices(device::open)
            .deviceName(device.name())
            .threads(threads(device))
            .progress((read, rows) -> bar.at(0, read, rows))
            .build();
    // Until the report is printed: the JVM must not end before.
    try (Interruption _ = Interruption.of(comparison::interrupt)) {
      CompareReport report = run(comparison, bar);
      tell(report);
      html.write(() -> HtmlComparison.of(report), spec.commandLine(), json);
      return exitCode(report);
    }
  }

  /** Only addresses can be had any number of times. */
  private static int threads(ChosenDevice device) {
    return device.provider().name().equals(SimulatedByDefault.SIMULATED)
        ? Runtime.getRuntime().availableProcessors()
        : 1;
  }

  private long byteSize() throws IOException {
    long sum = 0;
    for (Path trace : traces) {
      sum += Files.size(trace);
    }
    return sum;
  }

  private static CompareReport run(Comparison comparison, ProgressBar bar) throws IOException {
    try (bar) {
      return comparison.run();
    }
  }

  private void tell(CompareReport report) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(json ? CompareJson.of(report) : CompareText.of(report));
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    CompareText.failures(report).forEach(line -> err.println("cistern: " + line));
  }

  private static int exitCode(CompareReport report) {
    if (report.interrupted()) {
      return ExitCodes.INTERRUPTED;
    }
    boolean good = report.rows().stream().allMatch(row -> row.report().figures().isGood());
    return good ? ExitCodes.DONE : ExitCodes.FAILED;
  }
}
