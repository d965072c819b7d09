package io.cistern.cli;

import io.cistern.trace.TraceFormat;
import io.cistern.trace.file.Traces;
import io.cistern.trace.report.TraceInfo;
import io.cistern.trace.report.TraceInfoJson;
import io.cistern.trace.report.VmaDump;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows what a trace holds. */
@Command(
    name = "info",
    description =
        "Show what a trace holds: operations, sizes, lifetimes, streams, the peak that no layout"
            + " can go below, and what its own allocator reserved.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  cistern trace info traces/cpu-pt-gpt-train.csv.gz",
      "  cistern trace info snapshot.pickle --trace-device 1",
      "  cistern trace info rmm-log.csv --lenient --json",
      "",
      "Medians and 90 %% are lower bounds, exact to 1 part in 32."
    })
final class TraceInfoCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private TraceFileOptions options;

  @Option(names = "--json", description = "Show as JSON.")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // The parser sets the fields.
  TraceInfoCommand() {}

  @Override
  public Integer call() throws IOException {
    options.check();
    PrintWriter out = spec.commandLine().getOut();
    out.print(isDump() ? dump() : rows());
    out.flush();
    return ExitCodes.DONE;
  }

  private boolean isDump() throws IOException {
    if (options.reading().format().isPresent()) {
      return options.reading().format().get() == TraceFormat.VMA_DUMP;
    }
    // A pipe can be read only once.
    return Files.isRegularFile(options.trace())
        && Traces.format(options.trace()) == TraceFormat.VMA_DUMP;
  }

  private String dump() throws IOException {
    Path trace = options.trace();
    VmaDump dump = Traces.vmaDump(trace, options.faults());
    return json ? TraceInfoJson.of(trace.toString(), dump) : TraceInfoText.of(trace, dump);
  }

  private String rows() throws IOException {
    TraceInfo info;
    Path trace = options.trace();
    try (ReadingBar bar = ReadingBar.of(List.of(trace))) {
      info = Traces.info(trace.toString(), bar.open(trace), options.reading(), options.isLenient());
    }
    return json ? TraceInfoJson.of(info) : TraceInfoText.of(info);
  }
}
