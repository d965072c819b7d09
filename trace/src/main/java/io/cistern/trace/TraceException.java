package io.cistern.trace;

import java.io.IOException;

/** A trace says something that it can't mean, or ends where it should not. */
public final class TraceException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final long line;
  private final String reason;

  /**
   * Says what is wrong and where.
   *
   * @param file the file as it was named
   * @param line the line, from 1
   * @param reason what is wrong
   */
  public TraceException(String file, long line, String reason) {
    super(file + ":" + line + ": " + reason);
    this.file = file;
    this.line = line;
    this.reason = reason;
  }

  /** The file as it was named. */
  public String file() {
    return file;
  }

  /** The line, from 1. */
  public long line() {
    return line;
  }

  /** What is wrong. */
  public String reason() {
    return reason;
  }
}
