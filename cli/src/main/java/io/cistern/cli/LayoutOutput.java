package io.cistern.cli;

import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.PersistentMemory;
import io.cistern.toml.LayoutFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The file that a layout is written to, if one is named. */
final class LayoutOutput {

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the layout to a TOML file.")
  private @Nullable Path output;

  @Option(names = "--force", description = "Write it in place of a file that is there.")
  private boolean force;

  @SuppressWarnings("NullAway.Init") // The parser sets the fields.
  LayoutOutput() {}

  /**
   * What shows before the work need not wait for it.
   *
   * @throws WrongUseException if the file can't be written
   */
  void check() {
    if (output != null) {
      OutputFile.check(output, force);
    }
  }

  /** Writes the file, if one is named, headed by a comment. */
  void write(MemoryPoolsConfig pools, PersistentMemory persistent, String comment) {
    if (output != null) {
      new LayoutFile(pools, persistent).write(output, comment);
    }
  }

  /** Says that the file was written, unless JSON is all that is to be said, or that it was not. */
  void tell(CommandLine command, boolean fits, boolean json) {
    if (output != null && !fits) {
      command.getErr().println("cistern: " + output + " is not written: the trace does not fit");
    } else if (output != null && !json) {
      command.getOut().println("wrote   " + output);
      command.getOut().flush();
    }
  }
}
