package io.cistern.cli;

import io.cistern.MemorySize;
import io.cistern.config.PersistentMemory;
import io.cistern.trace.replay.DecodedTrace;
import io.cistern.trace.report.FitJson;
import io.cistern.trace.report.FitReport;
import io.cistern.trace.search.Fitting;
import io.cistern.trace.search.NamedLayout;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tells whether a trace fits a device. */
@Command(
    name = "fits",
    description =
        "Tell whether a trace fits a device's memory, on which layouts, with how much room, and"
            + " the smallest memory that does.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  cistern fits snapshot.pickle --device-memory 24GiB",
      "  cistern fits trace.csv --device-memory 512MiB --layout layout.toml --json",
      "",
      "Without --layout, both presets are tried, and the best of each kind of layout",
      "that \"cistern tune\" begins with. Where memory runs short, pools give free pages",
      "back, so a layout may fit a smaller memory than it reserves where there is more.",
      "The smallest memory is exact to 1 part in 1024, and 64 KiB. Exit code 1: the",
      "trace fits on none of the layouts; then no file is written."
    })
final class FitsCommand implements Callable<Integer> {

  /** Of the bar: far more than its cells. */
  private static final int STEPS = 1000;

  @Spec private CommandSpec spec;

  @Mixin private TraceFileOptions trace;

  @Option(
      names = "--device-memory",
      required = true,
      paramLabel = "SIZE",
      description = "The memory of the device, such as 24GiB.")
  private MemorySize memory;

  @Mixin private LayoutsOption layouts;

  @Mixin private SizeOptions sizes;

  @Mixin private LayoutOutput output;

  @Option(names = "--json", description = "Report as JSON.")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // The parser sets the fields.
  FitsCommand() {}

  @Override
  public Integer call() throws IOException {
    trace.check();
    if (memory.bytes() == 0) {
      throw new WrongUseException("--device-memory is more than nothing, such as 24GiB");
    }
    output.check();
    ChosenDevice device = sizes.simulated();
    List<NamedLayout> named =
        layouts.layoutsFor(
            device.with(device.options().withCapacity(memory)).properties(), List.of());
    DecodedTrace decoded = read();
    ProgressBar bar = ProgressBar.ofParts(STEPS, "replays");
    Fitting fitting =
        new Fitting(
            decoded,
            memory,
            device.options(),
            named,
            Runtime.getRuntime().availableProcessors(),
            (share, replays) -> bar.at(0, (long) (share * STEPS), replays));
    // Until the file is written: the JVM must not end before.
    try (Interruption _ = Interruption.of(fitting::interrupt)) {
      FitReport report = run(fitting, bar);
      tell(report);
      return exitCode(report);
    }
  }

  private DecodedTrace read() throws IOException {
    Path file = trace.trace();
    try (ReadingBar bar = ReadingBar.of(List.of(file))) {
      return DecodedTrace.read(file.toString(), bar.open(file), trace.reading(), trace.isLenient());
    }
  }

  private static FitReport run(Fitting fitting, ProgressBar bar) throws IOException {
    try (bar) {
      return fitting.run();
    }
  }

  private void tell(FitReport report) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(json ? FitJson.of(report) : FitText.of(report));
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    FitText.failures(report).forEach(line -> err.println("cistern: " + line));
    Optional<FitReport.Row> best = report.best();
    best.ifPresent(
        row ->
            output.write(
                row.layout().config(), PersistentMemory.ENABLED, FitText.comment(report, row)));
    output.tell(spec.commandLine(), best.isPresent(), json);
  }

  private static int exitCode(FitReport report) {
    if (report.interrupted()) {
      return ExitCodes.INTERRUPTED;
    }
    return report.best().isPresent() ? ExitCodes.DONE : ExitCodes.FAILED;
  }
}
