package io.cistern.trace.format;

import java.util.Locale;
import java.util.regex.Pattern;

/** Numbers in the texts of logs; -1 where there is none. */
final class Numbers {

  private static final int MOST_DIGITS = 19;
  private static final Pattern ADDRESS =
      Pattern.compile("0[xX][0-9a-fA-F]{1,16}|\\(nil\\)|[0-9]{1,18}");

  private Numbers() {}

  /** A number of bytes or things, at least 0. */
  static long count(String text) {
    if (text.isEmpty() || text.length() > MOST_DIGITS || !isDigits(text)) {
      return -1;
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private static boolean isDigits(String text) {
    return text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /**
   * An address or handle: hexadecimal behind 0x, {@code (nil)}, or decimal. Addresses have all 64
   * bits, so not every negative number is a fault: see {@link #isAddress}.
   */
  static long address(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (lower.startsWith("0x")) {
      return Long.parseUnsignedLong(lower.substring(2), 16);
    }
    return lower.equals("(nil)") ? 0 : Long.parseLong(lower);
  }

  /** Whether a text is an address. */
  static boolean isAddress(String text) {
    return ADDRESS.matcher(text).matches();
  }
}
