package io.cistern.cli;

import io.cistern.config.PersistentMemory;
import io.cistern.trace.replay.Plan;
import io.cistern.trace.report.PlanJson;
import io.cistern.trace.report.PlanReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Plans a layout for a trace. */
@Command(
    name = "plan",
    description = "Cap the sliced pools of a layout at what a trace needs, and show that it fits.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  cistern plan snapshot.pickle -o layout.toml",
      "  cistern plan trace.csv --layout my-layout.toml --device simulated --json",
      "",
      "The trace runs twice: unmapped, with caps out of reach, which measures and takes",
      "no memory; then with memory, each stream capped at its own peaks. It fits if",
      "every request is served from the same place, and none is passed on or refused.",
      "A pool with a cap takes no near-page sizes, so none does while it is measured.",
      "A layout file is for all streams: each cap is the largest of the streams' peaks.",
      "Exit code 1: it does not fit; then no file is written."
    })
final class PlanCommand implements Callable<Integer> {

  private static final int PASSES = 2;

  @Spec private CommandSpec spec;

  @Mixin private TraceOptions options;

  @Mixin private LayoutOutput output;

  @Option(names = "--json", description = "Report as JSON.")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // The parser sets the fields.
  PlanCommand() {}

  @Override
  public Integer call() throws IOException {
    output.check();
    ChosenDevice device = options.device();
    ChosenLayout pools = options.layoutFor(device.properties());
    options.checkReadTwice("a plan");
    ProgressBar bar = ProgressBar.of(options.trace(), PASSES, Duration.ZERO);
    Plan plan = options.replay(device, pools).progress(bar::at).plan();
    // Until the file is written: the JVM must not end before.
    try (Interruption _ = Interruption.of(plan::interrupt)) {
      Optional<PlanReport> report = run(plan, bar);
      if (report.isEmpty()) {
        tellError("interrupted; nothing is planned");
        return ExitCodes.INTERRUPTED;
      }
      return tell(report.get(), pools.persistent());
    }
  }

  private static Optional<PlanReport> run(Plan plan, ProgressBar bar) throws IOException {
    try (bar) {
      return plan.run();
    }
  }

  private int tell(PlanReport report, PersistentMemory persistent) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(json ? PlanJson.of(report) : PlanText.of(report));
    out.flush();
    PlanText.failures(report).forEach(this::tellError);
    if (report.fits()) {
      output.write(report.layout().config(), persistent, PlanText.comment(report));
    }
    output.tell(spec.commandLine(), report.fits(), json);
    return report.fits() ? ExitCodes.DONE : ExitCodes.FAILED;
  }

  private void tellError(String line) {
    spec.commandLine().getErr().println("cistern: " + line);
  }
}
