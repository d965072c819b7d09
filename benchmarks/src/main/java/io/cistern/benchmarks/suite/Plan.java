package io.cistern.benchmarks.suite;

/**
 * How often and how long a cell is measured.
 *
 * @param threads how many run it
 * @param forks how many JVMs measure it, one after another
 * @param warmups iterations before measuring begins
 * @param iterations that are measured
 * @param millis of one iteration
 * @param setupSeconds about how long a JVM takes until the first iteration, beside its own start
 */
record Plan(int threads, int forks, int warmups, int iterations, int millis, double setupSeconds) {

  /** Start of a JVM with its heap touched, and of JMH in it. */
  private static final double START_SECONDS = 1.5;

  /** For figures. */
  private static final int MILLIS = 200;

  private static final int ITERATIONS = 3;

  /** For figures of time: three JVMs for one thread, five for two, which make more noise. */
  static Plan timed(int threads, int warmups, double setupSeconds) {
    return new Plan(threads, threads == 1 ? 3 : 5, warmups, ITERATIONS, MILLIS, setupSeconds);
  }

  /** For figures that are the same each time. */
  static Plan once() {
    return new Plan(1, 1, 0, 1, 1, 0);
  }

  /** Shows that it runs. */
  Plan forAMoment() {
    return new Plan(threads, 1, 1, 1, 10, 0);
  }

  Plan withForks(int most) {
    return new Plan(threads, Math.min(forks, most), warmups, iterations, millis, setupSeconds);
  }

  /** About how long one JVM takes. */
  double seconds() {
    return START_SECONDS + setupSeconds + (warmups + iterations) * millis / 1000.0;
  }
}
