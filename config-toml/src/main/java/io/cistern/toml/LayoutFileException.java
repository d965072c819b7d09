package io.cistern.toml;

import org.jspecify.annotations.Nullable;

/**
 * A layout file can't be read, can't be written, or says what no layout can mean.
 *
 * <p>The message is {@code FILE:LINE:COLUMN: REASON}, or {@code FILE: REASON} where no place in the
 * text is at fault.
 */
public final class LayoutFileException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final int line;
  private final int column;
  private final String reason;

  /** A fault of the file as a whole. */
  LayoutFileException(String file, String reason, @Nullable Throwable cause) {
    super(file + ": " + reason, cause);
    this.file = file;
    this.line = 0;
    this.column = 0;
    this.reason = reason;
  }

  /** A fault at a place, counted from 1. */
  LayoutFileException(String file, int line, int column, String reason, @Nullable Throwable cause) {
    super(file + ":" + line + ":" + column + ": " + reason, cause);
    this.file = file;
    this.line = line;
    this.column = column;
    this.reason = reason;
  }

  /** The file's name as it was given. */
  public String file() {
    return file;
  }

  /** The line of the fault, from 1; 0 if the file as a whole is at fault. */
  public int line() {
    return line;
  }

  /**
   * The column of the fault in Java characters (UTF-16 units, a tab is one), from 1; 0 if the file
   * as a whole is at fault.
   */
  public int column() {
    return column;
  }

  /** What is wrong and what would be right, in one sentence without the place. */
  public String reason() {
    return reason;
  }
}
