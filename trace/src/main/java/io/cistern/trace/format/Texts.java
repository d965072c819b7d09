package io.cistern.trace.format;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Texts of logs, which may be as long as lines may be. */
final class Texts {

  private static final int MOST_SHOWN = 40;

  private Texts() {}

  /** A text in a message: in quotes, cut if it is long. */
  static String shown(String text) {
    String cut = text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "…" : text;
    return "\"" + cut + "\"";
  }

  /** The names in a header, in small letters. */
  static List<String> columns(String header) {
    return Arrays.stream(header.split(",", -1))
        .map(name -> name.strip().toLowerCase(Locale.ROOT))
        .toList();
  }
}
