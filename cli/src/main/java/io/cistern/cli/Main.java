package io.cistern.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Runs the command line. */
public final class Main {

  private Main() {}

  /**
   * Runs a command and exits with its code.
   *
   * @param arguments a command and its options; {@code --help} lists them
   */
  public static void main(String[] arguments) {
    ReportedOutput out = new ReportedOutput(new FileOutputStream(FileDescriptor.out));
    PrintWriter err =
        new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    System.exit(out.exitCode(run(out, err, arguments), err));
  }

  private static int run(ReportedOutput out, PrintWriter err, String[] arguments) {
    try {
      return Cistern.commandLine(new PrintWriter(out, false, StandardCharsets.UTF_8), err)
          .execute(arguments);
    } catch (OutOfMemoryError e) {
      err.println(
          "cistern: out of memory ("
              + e.getMessage()
              + ") in a Java heap of "
              + (Runtime.getRuntime().maxMemory() >> 20)
              + " MiB; CISTERN_JAVA_OPTS=-Xmx4g gives it 4 GiB");
      return ExitCodes.FAILED;
    }
  }
}
