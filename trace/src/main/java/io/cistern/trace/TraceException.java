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
   * @param line the line, from 1; 0 if it is of no line
   * @param reason what is wrong
   */
  public TraceException(String file, long line, String reason) {
    this((line > 0 ? file + ":" + line : file) + ": " + reason, file, line, reason);
  }

  private TraceException(String message, String file, long line, String reason) {
    super(message);
    this.file = file;
    this.line = line;
    this.reason = reason;
  }

  /** Says what is wrong at a byte, from 0, of a file that has no lines. */
  static TraceException atByte(String file, long byteOffset, String reason) {
    return new TraceException(
        file + ": byte offset " + byteOffset + ": " + reason, file, 0, reason);
  }

  /** The file as it was named. */
  public String file() {
    return file;
  }

  /** The line, from 1; 0 where the file has none. */
  public long line() {
    return line;
  }

  /** What is wrong. */
  public String reason() {
    return reason;
  }
}
