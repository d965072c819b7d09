package io.cistern.cli;

import io.cistern.storage.Feature;
import io.cistern.trace.picture.Curves;
import io.cistern.trace.picture.HtmlReport;
import io.cistern.trace.picture.MemoryMap;
import io.cistern.trace.replay.Replay;
import io.cistern.trace.report.ReplayReport;
import io.cistern.trace.report.ReportJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Replays a trace. */
@Command(
    name = "replay",
    description = "Replay a trace of allocations on a layout of pools, and tell what it cost.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  cistern replay traces/cpu-pt-resnet50-train-b8.csv.gz",
      "  cistern replay trace.csv --layout exclusive-pages --device simulated --json",
      "  cistern replay trace.csv --device simulated --repeat 30 --at-least 3s",
      "  cistern replay snapshot.pickle",
      "  cistern replay trace.csv --touch",
      "  cistern replay snapshot.pickle --html report.html",
      "  cistern replay --script program.script",
      "",
      "A trace is a CSV file with the columns op (alloc or free), id, size and perhaps",
      "stream, time_us, reserved and tag; or a PyTorch memory snapshot, a profiler trace,",
      "an RMM log or another of the formats above. Exit code 1: a request was refused, or",
      "a touched slice was overwritten."
    })
final class ReplayCommand implements Callable<Integer> {

  private static final String SCRIPT = "--script";

  @Spec private CommandSpec spec;

  @Mixin private TraceOptions options;

  @Option(
      names = "--touch",
      description =
          "Write a pattern into each slice and verify it before its free. The time then includes"
              + " this.")
  private boolean touch;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Replay N times; the time is the median of the later half (default: ${DEFAULT-VALUE}).")
  private int repeat;

  @Option(
      names = "--at-least",
      paramLabel = "TIME",
      defaultValue = "0s",
      description = "Replay for at least so long, such as 500ms, 3s or 2m.")
  private Duration atLeast;

  @Option(names = "--json", description = "Report as JSON.")
  private boolean json;

  @Option(
      names = SCRIPT,
      description =
          "The file is a script of operations (allocate, close, install, ...), not a trace. Each"
              + " step is checked. A script says its own device and layout.")
  private boolean script;

  @Mixin private HtmlOutput html;

  @Option(names = "--ascii", description = "Draw the curve with plain ASCII.")
  private boolean ascii;

  @SuppressWarnings("NullAway.Init") // The parser sets the fields.
  ReplayCommand() {}

  @Override
  public Integer call() throws IOException {
    if (script) {
      return new ScriptReplay(spec.commandLine()).run(options.trace(), SCRIPT);
    }
    check();
    html.check();
    if (html.isWanted()) {
      options.checkReadTwice("--html");
    }
    ChosenDevice device = options.device();
    ChosenLayout pools = options.layoutFor(device.properties());
    if (touch && !device.properties().has(Feature.COPY)) {
      throw new WrongUseException(
          "--touch needs memory that can be written; device " + device.name() + " has none");
    }
    ProgressBar bar = ProgressBar.of(options.trace(), repeat + (html.isWanted() ? 1 : 0), atLeast);
    Curves curves = new Curves();
    MemoryMap map = new MemoryMap();
    Replay.Builder builder =
        options.replay(device, pools).touch(touch).repeat(repeat, atLeast).progress(bar::at);
    if (html.isWanted() || !json) {
      builder.curves(curves);
    }
    if (html.isWanted()) {
      builder.map(map);
    }
    Replay replay = builder.build();
    // Until the report is printed: the JVM must not end before.
    try (Interruption _ = Interruption.of(replay::interrupt)) {
      ReplayReport report = run(replay, bar);
      tell(report, curves);
      html.write(() -> HtmlReport.of(report, curves, map), spec.commandLine(), json);
      return exitCode(report);
    }
  }

  private static ReplayReport run(Replay replay, ProgressBar bar) throws IOException {
    try (bar) {
      return replay.run();
    }
  }

  private void check() {
    if (repeat < 1) {
      throw new WrongUseException("--repeat is at least 1, not " + repeat);
    }
  }

  private void tell(ReplayReport report, Curves curves) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(json ? ReportJson.of(report) : ReplayText.of(report, CurveText.of(curves, style())));
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    ReplayText.failures(report).forEach(line -> err.println("cistern: " + line));
  }

  private CurveText.Style style() {
    return new CurveText.Style(
        Terminal.width(), ascii, Terminal.isColoured(System.getenv(), Terminal.isOutput()));
  }

  private static int exitCode(ReplayReport report) {
    if (report.interrupted()) {
      return ExitCodes.INTERRUPTED;
    }
    return report.figures().isGood() ? ExitCodes.DONE : ExitCodes.FAILED;
  }
}
