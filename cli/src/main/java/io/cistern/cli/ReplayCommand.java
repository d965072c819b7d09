package io.cistern.cli;

import io.cistern.config.PersistentMemory;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Feature;
import io.cistern.trace.Replay;
import io.cistern.trace.ReplayReport;
import io.cistern.trace.ReportJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
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
      "  cistern replay trace.csv --touch",
      "",
      "A trace is a CSV file, plain or gzip, with the columns op (alloc or free), id,",
      "size and perhaps stream and time_us. Exit code 1: a request was refused, or a",
      "touched slice was overwritten."
    })
final class ReplayCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "TRACE", description = "The trace.")
  private Path trace;

  @Option(
      names = "--layout",
      paramLabel = "NAME|FILE",
      description =
          "sub-slices, exclusive-pages or a TOML file (default: sub-slices, or exclusive-pages"
              + " where a device can't share a block).")
  private @Nullable String layout;

  @Mixin private DeviceOptions deviceOptions;

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

  @Option(names = "--lenient", description = "Skip and count bad rows instead of ending at one.")
  private boolean lenient;

  @Option(names = "--json", description = "Report as JSON.")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // The parser sets the fields.
  ReplayCommand() {}

  @Override
  public Integer call() throws IOException {
    check();
    ChosenDevice device = deviceOptions.choose();
    ChosenLayout pools = choose(device.properties());
    if (touch && !device.properties().has(Feature.HOST_ACCESS)) {
      throw new WrongUseException(
          "--touch needs memory that can be written; device " + device.name() + " has none");
    }
    ProgressBar bar = ProgressBar.of(trace, repeat, atLeast);
    Replay replay =
        Replay.of(trace)
            .devices(device::open)
            .deviceName(device.name())
            .pools(pools.pools())
            .layoutName(pools.name())
            .lenient(lenient)
            .touch(touch)
            .repeat(repeat, atLeast)
            .progress(bar::at)
            .build();
    // Until the report is printed: the JVM must not end before.
    try (Interruption _ = Interruption.of(replay::interrupt)) {
      ReplayReport report = run(replay, bar);
      tell(report);
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
    if (trace.toString().isEmpty()) {
      throw new WrongUseException("TRACE is an empty text, not the name of a file");
    }
    if (Files.isDirectory(trace)) {
      throw new WrongUseException(trace + " is a folder, not a trace");
    }
  }

  /**
   * The layout that is meant; checked, so that a fault shows before the work and with its place.
   */
  private ChosenLayout choose(DeviceProperties device) {
    ChosenLayout chosen =
        layout != null ? ChosenLayout.named(layout) : ChosenLayout.defaultFor(device);
    if (chosen.persistent() == PersistentMemory.ENFORCED) {
      throw new WrongUseException(
          chosen.name() + ": persistent = \"enforced\" can't be replayed yet");
    }
    chosen.resolve(device);
    return chosen;
  }

  private void tell(ReplayReport report) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(json ? ReportJson.of(report) : ReplayText.of(report));
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    ReplayText.failures(report).forEach(line -> err.println("cistern: " + line));
  }

  private static int exitCode(ReplayReport report) {
    if (report.interrupted()) {
      return ExitCodes.INTERRUPTED;
    }
    return report.figures().isGood() ? ExitCodes.DONE : ExitCodes.FAILED;
  }
}
