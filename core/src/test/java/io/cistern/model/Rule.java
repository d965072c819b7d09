package io.cistern.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Plain checks: millions of them run for each that fails, so that they build no text before. */
final class Rule {

  private Rule() {}

  static void holds(boolean condition, String rule) {
    if (!condition) {
      throw new AssertionError("broken: " + rule);
    }
  }

  static void equal(long actual, long expected, String what) {
    if (actual != expected) {
      throw new AssertionError(what + " is " + actual + ", by the rules " + expected);
    }
  }

  static void same(@Nullable Object actual, @Nullable Object expected, String what) {
    if (!Objects.equals(actual, expected)) {
      throw new AssertionError(what + " is " + actual + ", by the rules " + expected);
    }
  }
}
