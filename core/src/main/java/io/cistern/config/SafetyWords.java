package io.cistern.config;

import io.cistern.MemorySize;

/** Reads safety options from their words. */
final class SafetyWords {

  private static final String WORDS =
      "off, check, poison, quarantine[=SIZE], redzones[=SIZE], leaks[=N], zero-on-allocate,"
          + " zero-on-free";

  private SafetyWords() {}

  static SafetyOptions read(String words) {
    SafetyOptions options = SafetyOptions.OFF;
    for (String word : words.split(",", -1)) {
      options = with(options, word.strip());
    }
    return options;
  }

  private static SafetyOptions with(SafetyOptions options, String word) {
    int equals = word.indexOf('=');
    String name = equals < 0 ? word : word.substring(0, equals);
    String value = equals < 0 ? "" : word.substring(equals + 1);
    boolean bare = equals < 0;
    return switch (name) {
      case "quarantine" -> options.withQuarantine(bare ? MemorySize.ofMiB(16) : size(word, value));
      case "redzones" -> options.withRedZones(bare ? MemorySize.of(64) : size(word, value));
      case "leaks" -> options.withLeaks(bare ? SafetyOptions.USUAL_LEAKS : count(word, value));
      default -> withSwitch(options, word);
    };
  }

  private static SafetyOptions withSwitch(SafetyOptions options, String word) {
    return switch (word) {
      case "off", "" -> options;
      case "check" -> options.withCheck(true);
      case "poison" -> options.withPoison(true);
      case "zero-on-allocate" -> options.withZeroOnAllocate(true);
      case "zero-on-free" -> options.withZeroOnFree(true);
      default ->
          throw new IllegalArgumentException(
              "\"" + word + "\" is no word for safety; the words are " + WORDS);
    };
  }

  private static MemorySize size(String word, String value) {
    try {
      return MemorySize.parse(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("\"" + word + "\": " + e.getMessage(), e);
    }
  }

  private static int count(String word, String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "\"" + word + "\": one handle in how many is a whole number from 0 on", e);
    }
  }
}
