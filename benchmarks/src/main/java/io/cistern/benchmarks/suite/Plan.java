package io.cistern.benchmarks.suite;

/**
 * How often and how long a cell is measured.
 *
 * @param threads how many run it
 * @param forks how many JVMs measure it, one after another
 * @param setupSeconds about how long each takes until its first iteration
 * @param warmups iterations before measuring begins
 * @param iterations that are measured
 * @param millis of one iteration
 */
record Plan(int threads, int forks, double setupSeconds, int warmups, int iterations, int millis) {

  /** A JVM whose heap is touched first, and JMH in it. */
  private static final double START_SECONDS = 1.1;

  /**
   * For figures of time, which make more noise with two threads.
   *
   * @param fillSeconds about how long it takes to make what is live
   */
  static Plan timed(int threads, double fillSeconds, int warmups) {
    return new Plan(threads, threads == 1 ? 3 : 4, START_SECONDS + fillSeconds, warmups, 3, 200);
  }

  /** For figures that are the same each time. */
  static Plan once() {
    return new Plan(1, 1, START_SECONDS, 0, 1, 1);
  }

  /** Shows that it runs, in a JVM that is there. */
  Plan forAMoment() {
    return new Plan(threads, 1, 0.3, 1, 1, 10);
  }

  Plan withForks(int most) {
    return new Plan(threads, Math.min(forks, most), setupSeconds, warmups, iterations, millis);
  }

  double warmupSeconds() {
    return warmups * millis / 1000.0;
  }

  /** About how long all JVMs together take. */
  double seconds() {
    return forks * (setupSeconds + (warmups + iterations) * millis / 1000.0);
  }
}
