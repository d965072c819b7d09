package io.cistern.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Shows on a terminal how far work is, once it takes long enough to wonder. Writes to the standard
 * error stream, and nothing at all if that is no terminal.
 */
final class ProgressBar implements AutoCloseable {

  private static final long FIRST_NANOS = 500_000_000;
  private static final long NEXT_NANOS = 100_000_000;
  private static final int CELLS = 6;

  /** Before this share is done, nobody can tell how long the rest takes. */
  private static final double FIRST_SHARE = 0.01;

  /** Where a line wraps, a carriage return leads back to its last part alone: so this is short. */
  private static final int WIDTH = 39;

  private static final String ROWS = "rows";

  private static final String ERASE = "\r" + " ".repeat(WIDTH) + "\r";

  private final @Nullable PrintWriter terminal;
  private final String unit;
  private final long fileByteSize;
  private final int passes;
  private final long atLeastNanos;
  private final long start = System.nanoTime();

  private long nextShow = start + FIRST_NANOS;
  private boolean shown;
  private int pass;
  private long operations;
  private long operationsBefore;

  ProgressBar(
      @Nullable PrintWriter terminal,
      String unit,
      long fileByteSize,
      int passes,
      Duration atLeast) {
    this.terminal = terminal;
    this.unit = unit;
    this.fileByteSize = fileByteSize;
    this.passes = passes;
    this.atLeastNanos = atLeast.toNanos();
  }

  /** A bar for the replay of a file. */
  static ProgressBar of(Path file, int passes, Duration atLeast) throws IOException {
    return new ProgressBar(terminal(), ROWS, Files.size(file), passes, atLeast);
  }

  /** A bar for the replay of files that are so many bytes, those read twice counted twice. */
  static ProgressBar ofBytes(long byteSize) {
    return new ProgressBar(terminal(), ROWS, byteSize, 1, Duration.ZERO);
  }

  /** A bar for work that consists of so many parts. */
  static ProgressBar ofParts(long parts, String unit) {
    return new ProgressBar(terminal(), unit, parts, 1, Duration.ZERO);
  }

  private static @Nullable PrintWriter terminal() {
    return Terminal.isError()
        ? new PrintWriter(
            new FileOutputStream(FileDescriptor.err), false, StandardCharsets.US_ASCII)
        : null;
  }

  /** Hears where a replay is. */
  void at(int presentPass, long byteCount, long operationsInPass) {
    if (terminal == null) {
      return;
    }
    if (presentPass != pass) {
      pass = presentPass;
      operationsBefore += operations;
    }
    operations = operationsInPass;
    long now = System.nanoTime();
    if (now >= nextShow) {
      nextShow = now + NEXT_NANOS;
      shown = true;
      terminal.print("\r" + line(byteCount, now - start));
      terminal.flush();
    }
  }

  /** The bar, what share is done, how much a second, and how long the rest takes at this rate. */
  String line(long byteCount, long nanos) {
    double inPass = fileByteSize == 0 ? 1 : Math.min(1.0, (double) byteCount / fileByteSize);
    double ofPasses = (pass + inPass) / passes;
    double ofTime = atLeastNanos == 0 ? 1 : (double) nanos / atLeastNanos;
    double share = Math.min(1, Math.min(ofPasses, ofTime));
    int full = (int) (share * CELLS);
    double perSecond = (operationsBefore + operations) * 1e9 / Math.max(1, nanos);
    String line =
        String.format(
            Locale.ROOT,
            "[%s%s] %3d%%  %s %s/s %s",
            "#".repeat(full),
            "-".repeat(CELLS - full),
            (int) (share * 100),
            Sizes.shortCount((long) perSecond),
            unit,
            share < FIRST_SHARE ? "" : left((long) (nanos * (1 - share) / share)));
    // Padded, since it is written over the line before.
    return String.format(Locale.ROOT, "%-" + WIDTH + "." + WIDTH + "s", line);
  }

  private static String left(long nanos) {
    Duration left = Duration.ofNanos(nanos);
    String time;
    if (left.toMinutes() == 0) {
      time = left.toSeconds() + "s";
    } else if (left.toHours() == 0) {
      time = String.format(Locale.ROOT, "%dm%02ds", left.toMinutes(), left.toSecondsPart());
    } else {
      time = String.format(Locale.ROOT, "%dh%02dm", left.toHours(), left.toMinutesPart());
    }
    return time + " left";
  }

  /** Takes the bar away. A second call does nothing. */
  @Override
  public void close() {
    if (shown && terminal != null) {
      shown = false;
      terminal.print(ERASE);
      terminal.flush();
    }
  }
}
