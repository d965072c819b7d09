package io.cistern.cli;

import io.cistern.MemorySize;
import io.cistern.trace.TraceFormat;
import java.io.PrintWriter;
import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command that the others belong to. */
@Command(
    name = "cistern",
    description = "Pooled device memory: what layouts of pools cost on real traces.",
    versionProvider = Version.class,
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ReplayCommand.class,
      PlanCommand.class,
      CompareCommand.class,
      TuneCommand.class,
      FitsCommand.class,
      TraceCommand.class,
      LayoutCommand.class,
      DevicesCommand.class
    },
    footer = {
      "",
      "Examples:",
      "  cistern replay traces/cpu-pt-resnet50-train-b8.csv.gz",
      "  cistern plan trace.csv -o layout.toml",
      "  cistern compare trace.csv --layout sub-slices --layout layout.toml",
      "  cistern tune snapshot.pickle -o layout.toml",
      "  cistern fits snapshot.pickle --device-memory 24GiB",
      "  cistern trace info snapshot.pickle",
      "  cistern layout exclusive-pages --device simulated",
      "  cistern devices",
      "",
      "Exit codes: 0 done; 1 the work failed; 2 wrong use or bad input; 130 Ctrl-C."
    })
final class Cistern implements Runnable {

  @Spec private CommandSpec spec;

  @Option(
      names = "--stacktrace",
      scope = ScopeType.INHERIT,
      description = "After an error, show where it came from.")
  private boolean stackTrace;

  @SuppressWarnings("NullAway.Init") // The parser sets the fields.
  Cistern() {}

  /** The whole command line, writing to these. */
  static CommandLine commandLine(PrintWriter out, PrintWriter err) {
    Cistern cistern = new Cistern();
    CommandLine line = new CommandLine(cistern);
    ErrorLines errors = new ErrorLines(() -> cistern.stackTrace);
    return line.setOut(out)
        .setErr(err)
        .registerConverter(MemorySize.class, Converters::memorySize)
        .registerConverter(Duration.class, Converters::duration)
        .registerConverter(TraceFormat.class, Converters::traceFormat)
        .setParameterExceptionHandler(errors::wrongUse)
        .setExecutionExceptionHandler(errors::failure);
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "Missing required command");
  }
}
