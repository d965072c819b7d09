package io.cistern.cli;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Model.UsageMessageSpec;

/** What is known of the terminal, if there is one. */
final class Terminal {

  /** Where the width is not known. */
  static final int DEFAULT_WIDTH = 80;

  private Terminal() {}

  /** Whether the standard output stream is a terminal; no if that can't be told. */
  static boolean isOutput() {
    return isStream(1);
  }

  /** Whether the standard error stream is a terminal; no if that can't be told. */
  static boolean isError() {
    return isStream(2);
  }

  @SuppressWarnings("SystemConsoleNull") // It is null where there is no console.
  private static boolean isStream(int number) {
    try {
      Path target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + number));
      return target.startsWith("/dev/pts") || target.toString().startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      Console console = System.console();
      return console != null && console.isTerminal();
    }
  }

  /** Whether output is to be coloured: on a terminal, unless {@code NO_COLOR} is set. */
  static boolean isColoured(Map<String, String> environment, boolean terminal) {
    return terminal && environment.getOrDefault("NO_COLOR", "").isEmpty();
  }

  /** The columns of the standard output stream. */
  static int width() {
    return isOutput() ? new UsageMessageSpec().autoWidth(true).width() : DEFAULT_WIDTH;
  }
}
