package io.cistern.cli;

import io.cistern.trace.script.Script;
import io.cistern.trace.script.ScriptFailure;
import io.cistern.trace.script.ScriptResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Runs a script, and tells what each of its steps did. */
final class ScriptReplay {

  private final CommandLine command;

  ScriptReplay(CommandLine command) {
    this.command = command;
  }

  /**
   * Runs a script; returns the exit code.
   *
   * @param option the option that says it is one: no other may stand beside it
   */
  int run(Path file, String option) throws IOException {
    checkAlone(option);
    ReadingOptions.check(file);
    Script script = Script.read(file);
    PrintWriter out = command.getOut();
    try {
      ScriptResult result = script.run(out::println);
      out.println();
      out.print(text(result));
      out.flush();
      return ExitCodes.DONE;
    } catch (ScriptFailure e) {
      out.flush();
      command.getErr().println("cistern: " + e.getMessage());
      return ExitCodes.FAILED;
    }
  }

  private void checkAlone(String option) {
    List<OptionSpec> matched = command.getParseResult().matchedOptions();
    for (OptionSpec other : matched) {
      if (!List.of(other.names()).contains(option)) {
        throw new WrongUseException(
            "a script says its own device and layout: "
                + option
                + " takes no "
                + other.longestName());
      }
    }
  }

  private static String text(ScriptResult result) {
    return """
        steps     %,d, every check held
        requests  %,d served, %,d refused
        in use    %s in %,d allocations, at most %s
        reserved  %s, at most %s
        """
        .formatted(
            result.steps(),
            result.served(),
            result.refused(),
            result.usage().inUse(),
            result.usage().allocations(),
            result.usage().inUsePeak(),
            result.usage().reserved(),
            result.usage().reservedPeak());
  }
}
