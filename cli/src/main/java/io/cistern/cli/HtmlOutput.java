package io.cistern.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Where a page for a browser goes, if one is wanted. */
final class HtmlOutput {

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write a page for a browser as well, which needs no network.")
  private @Nullable Path html;

  @Option(names = "--force", description = "Write it in place of a file that is there.")
  private boolean force;

  @SuppressWarnings("NullAway.Init") // The parser sets the fields.
  HtmlOutput() {}

  /** Whether one is. */
  boolean isWanted() {
    return html != null;
  }

  /**
   * Looks whether it can be written, before work begins.
   *
   * @throws WrongUseException if not
   */
  void check() {
    if (html != null) {
      OutputFile.check(html, force);
      OutputFile.checkReplaceable(html);
    }
  }

  /**
   * Writes it, and says so.
   *
   * @param page what makes it
   * @param command whose output tells
   * @param quiet whether the output is for programs
   */
  void write(Supplier<String> page, CommandLine command, boolean quiet) throws IOException {
    if (html == null) {
      return;
    }
    String text = page.get();
    OutputFile.write(html, part -> Files.writeString(part, text));
    if (!quiet) {
      PrintWriter out = command.getOut();
      out.println("wrote   " + html);
      out.flush();
    }
  }
}
