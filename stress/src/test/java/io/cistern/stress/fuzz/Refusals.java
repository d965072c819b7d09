package io.cistern.stress.fuzz;

/** What holds of each error for bad input. */
final class Refusals {

  private Refusals() {}

  static void check(Exception refusal, String start) {
    String message = String.valueOf(refusal.getMessage());
    if (!message.startsWith(start) || message.length() == start.length()) {
      throw new AssertionError("does not say where and what: " + message, refusal);
    }
  }
}
