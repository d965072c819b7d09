package io.cistern.trace.script;

import io.cistern.trace.TraceException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * A program of pool operations on a simulated device, one a line. The guide page "Run a script" has
 * the words.
 *
 * <p>Immutable; each run has a device of its own.
 */
public final class Script {

  /** A step, where it stands and how it is written. */
  record Numbered(long line, String text, ScriptStep step) {}

  private final String file;
  private final ScriptHead head;
  private final List<Numbered> steps;

  Script(String file, ScriptHead head, List<Numbered> steps) {
    this.file = file;
    this.head = head;
    this.steps = steps;
  }

  /**
   * Reads a script.
   *
   * @throws TraceException if a line is wrong; it says which, and what was possible
   * @throws IOException if the file can't be read
   */
  public static Script read(Path file) throws IOException {
    return read(file.toString(), Files.newInputStream(file));
  }

  /**
   * Reads a script, and closes where it is from.
   *
   * @param name what errors name it by
   * @throws TraceException if a line is wrong; it says which, and what was possible
   * @throws IOException if it can't be read
   */
  public static Script read(String name, InputStream in) throws IOException {
    return new ScriptReader(name).read(in);
  }

  /**
   * Runs it. After each step all is checked that shows from outside: that no two live slices share
   * memory, and every total.
   *
   * @param told gets a line for each step: what it was and what it did
   * @return what it came to
   * @throws TraceException if a step names what is not there
   * @throws ScriptFailure if a check fails, or an {@code expect} does not hold
   */
  public ScriptResult run(Consumer<String> told) throws TraceException {
    try (ScriptRun run = new ScriptRun(file, head)) {
      for (Numbered step : steps) {
        told.accept(step.line() + ": " + step.text() + run.take(step));
      }
      return run.finish(steps.isEmpty() ? 0 : steps.getLast().line());
    }
  }
}
