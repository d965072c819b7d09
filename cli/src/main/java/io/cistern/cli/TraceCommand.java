package io.cistern.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Looks at traces. */
@Command(
    name = "trace",
    description = "Show what a trace holds, or convert it.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {TraceInfoCommand.class, TraceConvertCommand.class},
    footer = {
      "",
      "Examples:",
      "  cistern trace info snapshot.pickle",
      "  cistern trace convert snapshot.pickle -o trace.csv.gz"
    })
final class TraceCommand implements Runnable {

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // The parser sets the fields.
  TraceCommand() {}

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "Missing required command");
  }
}
