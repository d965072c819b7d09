package io.cistern.page;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Equations that always hold, checked by tests after each step. */
public final class Invariant {

  private Invariant() {}

  /**
   * Checks one equation.
   *
   * @param holds whether it holds
   * @param equation the equation, in words and values
   * @throws IllegalStateException if it does not
   */
  public static void check(boolean holds, Object... equation) {
    if (!holds) {
      throw new IllegalStateException(
          Arrays.stream(equation)
              .map(String::valueOf)
              .collect(Collectors.joining(" ", "broken: ", "")));
    }
  }
}
