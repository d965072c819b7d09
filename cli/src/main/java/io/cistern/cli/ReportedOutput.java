package io.cistern.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The output of a command. What goes wrong in it is kept for the end, since writers swallow it: a
 * reader that has seen enough is no fault, a full disk is one.
 */
final class ReportedOutput extends OutputStream {

  private final OutputStream out;
  private @Nullable IOException failure;

  ReportedOutput(OutputStream out) {
    this.out = new BufferedOutputStream(out);
  }

  private interface Writing {
    void run() throws IOException;
  }

  private void attempt(Writing writing) {
    if (failure != null) {
      return;
    }
    try {
      writing.run();
    } catch (IOException e) {
      failure = e;
    }
  }

  @Override
  public void write(int value) {
    attempt(() -> out.write(value));
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    attempt(() -> out.write(bytes, offset, length));
  }

  @Override
  public void flush() {
    attempt(out::flush);
  }

  /** The exit code of a command whose own is {@code code}. */
  int exitCode(int code, PrintWriter err) {
    flush();
    if (failure == null || isReaderGone(failure)) {
      return code;
    }
    err.println("cistern: the output can't be written: " + failure.getMessage());
    return ExitCodes.FAILED;
  }

  private static boolean isReaderGone(IOException e) {
    return String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains("pipe");
  }
}
