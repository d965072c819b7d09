package io.cistern.page;

/** Equations that always hold, checked by tests after each step. */
public final class Invariant {

  private Invariant() {}

  /**
   * Checks one equation.
   *
   * @param holds whether it holds
   * @param equation the equation in words, with {@link String#format} places for the values
   * @throws IllegalStateException if it does not
   */
  public static void check(boolean holds, String equation, Object... values) {
    if (!holds) {
      throw new IllegalStateException("broken: " + String.format(equation, values));
    }
  }
}
