package io.cistern.cli;

import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceReader;
import io.cistern.trace.file.CsvTraceWriter;
import io.cistern.trace.file.Traces;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Writes a trace as the common CSV. */
@Command(
    name = "convert",
    description = "Write a trace of any format as the common CSV.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  cistern trace convert snapshot.pickle -o trace.csv.gz",
      "  cistern trace convert profile.json.gz --trace-device 1:0 -o trace.csv",
      "",
      "The columns are op, id, size, stream and time_us; and reserved, where the trace",
      "tells what its own allocator held. The file appears when all of it is written."
    })
final class TraceConvertCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private TraceFileOptions options;

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "FILE",
      description = "The CSV file; compressed if its name ends with .gz or .zst.")
  private Path output;

  @Option(names = "--force", description = "Write it in place of a file that is there.")
  private boolean force;

  @SuppressWarnings("NullAway.Init") // The parser sets the fields.
  TraceConvertCommand() {}

  @Override
  public Integer call() throws IOException {
    options.check();
    OutputFile.check(output, force);
    OutputFile.checkReplaceable(output);
    TraceFaults faults = options.faults();
    try (ReadingBar bar = ReadingBar.of(List.of(options.trace()));
        TraceReader reader = Traces.open(bar.open(options.trace()), options.reading(), faults)) {
      long rows = write(reader, faults);
      bar.takeAway();
      tell(reader, faults, rows);
    }
    return ExitCodes.DONE;
  }

  private long write(TraceReader reader, TraceFaults faults) throws IOException {
    return OutputFile.write(
        output,
        part -> {
          try (CsvTraceWriter writer = CsvTraceWriter.open(part)) {
            return writer.write(reader, faults);
          }
        });
  }

  private void tell(TraceReader reader, TraceFaults faults, long rows) {
    PrintWriter err = spec.commandLine().getErr();
    for (TraceException problem : faults.problems()) {
      err.println("cistern: " + problem.getMessage());
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        "wrote   "
            + output
            + ", "
            + ReportLines.count(rows, "row")
            + " of "
            + reader.format().title());
    if (faults.skipped() > 0) {
      out.println("        without " + ReportLines.count(faults.skipped(), "bad row"));
    }
    out.flush();
  }
}
