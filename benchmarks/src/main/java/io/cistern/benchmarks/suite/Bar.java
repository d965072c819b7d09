package io.cistern.benchmarks.suite;

import java.util.OptionalDouble;

/**
 * A figure that Cistern must reach, or must tell.
 *
 * @param where the workload
 * @param what the figure, and its unit unless it is a ratio
 * @param wanted what is wanted of it
 * @param limit the bound; of no meaning where a figure is only told
 * @param measured empty if it was not measured
 */
record Bar(String where, String what, Wanted wanted, double limit, OptionalDouble measured) {

  enum Wanted {
    AT_MOST("at most "),
    AT_LEAST("at least "),
    TOLD("to be told");

    final String text;

    Wanted(String text) {
      this.text = text;
    }
  }

  static Bar atMost(double limit, String where, String what, OptionalDouble measured) {
    return new Bar(where, what, Wanted.AT_MOST, limit, measured);
  }

  static Bar atLeast(double limit, String where, String what, OptionalDouble measured) {
    return new Bar(where, what, Wanted.AT_LEAST, limit, measured);
  }

  static Bar told(String where, String what, OptionalDouble measured) {
    return new Bar(where, what, Wanted.TOLD, Double.NaN, measured);
  }

  /** Whether what was measured, if it was, is what was wanted. */
  boolean holds() {
    double figure = measured.orElse(Double.NaN);
    return switch (wanted) {
      case AT_MOST -> figure <= limit;
      case AT_LEAST -> figure >= limit;
      case TOLD -> measured.isPresent();
    };
  }
}
