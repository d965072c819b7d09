package io.cistern.toml;

import org.jspecify.annotations.Nullable;

/**
 * A text and where it is from: turns offsets in the text into errors with lines and columns.
 *
 * @param file the file's name for people
 * @param text the whole text, without a byte-order mark
 */
record Origin(String file, String text) {

  /** An error at an offset from 0; one at the end of the text points behind its last character. */
  LayoutFileException fault(int offset, String reason) {
    return fault(offset, reason, null);
  }

  LayoutFileException fault(int offset, String reason, @Nullable Throwable cause) {
    int lineStart = text.lastIndexOf('\n', offset - 1) + 1;
    int column = offset - lineStart + 1;
    return new LayoutFileException(file, line(offset), column, Reasons.oneLine(reason), cause);
  }

  /** The line of an offset, from 1. */
  int line(int offset) {
    return 1 + (int) text.substring(0, offset).chars().filter(c -> c == '\n').count();
  }
}
