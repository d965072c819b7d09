package io.cistern.benchmarks.suite;

import io.cistern.benchmarks.peers.Allocator;
import io.cistern.config.MemoryPoolsConfig.Preset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * A figure that Cistern must reach.
 *
 * @param what the figure
 * @param limit what it may be at most, or must be at least
 * @param most whether the limit is the most
 * @param figure what was measured; empty if it was not
 */
record Bar(String what, double limit, boolean most, OptionalDouble figure) {

  private static final Allocator FAST = Allocator.fastPath();

  /** One thread's, in which the number of live ones, or their size, tells allocators apart. */
  private static final List<Workload> MANY_LIVE =
      List.of(
          Workload.LIVE_100,
          Workload.LIVE_10K,
          Workload.LIVE_100K,
          Workload.LIVE_1M,
          Workload.LARGE,
          Workload.FIFO);

  boolean isReached() {
    return figure.isPresent()
        && (most ? figure.getAsDouble() <= limit : figure.getAsDouble() >= limit);
  }

  String verdict() {
    return isReached() ? "reached" : "**missed**";
  }

  String limitText() {
    return (most ? "at most " : "at least ") + String.format(Locale.ROOT, "%.3g", limit);
  }

  static List<Bar> of(Results results) {
    List<Bar> bars = new ArrayList<>();
    Predicate<Allocator> jemalloc = Allocator.JEMALLOC::equals;
    bars.add(atMost(1.4, results, Workload.FIXED, "jemalloc's", jemalloc));
    bars.add(atMost(1, results, Workload.FIXED, "the best other peer's", jemalloc.negate()));
    for (Workload workload : MANY_LIVE) {
      double limit =
          switch (workload) {
            case LIVE_100K, LIVE_1M -> 0.7;
            default -> 1;
          };
      bars.add(atMostBest(limit, results, workload));
    }
    bars.add(atMost(0.6, results, Workload.LIVE_10K, "mimalloc's", Allocator.MIMALLOC::equals));
    for (Workload workload : MANY_LIVE) {
      bars.add(
          new Bar(
              workload.title + ": object handles' time over long ones'",
              1.6,
              true,
              ratio(
                  time(results, workload, Allocator.SHARED_OBJECTS),
                  time(results, workload, FAST))));
    }
    for (Workload workload :
        List.of(Workload.FIXED_TWICE, Workload.LIVE_10K_TWICE, Workload.HAND_OVER)) {
      bars.add(atMostBest(1.1, results, workload));
    }
    bars.add(
        new Bar(
            "Throughput of two threads over that of one, 256 bytes, one live",
            1.8,
            false,
            ratio(
                results.median(Workload.FIXED.id, FAST, Results.WALL).stream()
                    .map(alone -> 2 * alone)
                    .findFirst(),
                results.median(Workload.FIXED_TWICE.id, FAST, Results.WALL))));
    bars.add(held(1.20, results, FAST));
    bars.add(held(1.12, results, Allocator.CONFINED_LONGS));
    bars.add(
        new Bar(
            "Traces: held bytes of the shared manager over those of the confined one, worst",
            1.02,
            true,
            ofTraces(results, Preset.values(), trace -> heldOnTrace(results, trace)).max()));
    bars.add(
        new Bar(
            "Traces: nanoseconds a row with `sub-slices`, median",
            25,
            true,
            Results.median(
                ofTraces(
                    results,
                    new Preset[] {Preset.SUB_SLICES},
                    trace -> results.median(trace, FAST, Results.WALL).orElse(Double.NaN)))));
    bars.add(
        new Bar(
            "Bytes of Java heap for each of 1,000,000 live ones, with its `long`",
            64,
            true,
            results.median(Workload.LIVE_1M.id, FAST, Figures.HEAP)));
    return bars;
  }

  /** The time that tells: CPU time of one thread, the clock's of two. */
  static OptionalDouble time(Results results, Workload workload, Allocator allocator) {
    return results.median(workload.id, allocator, workload.time());
  }

  private static Bar atMost(
      double limit, Results results, Workload workload, String whose, Predicate<Allocator> among) {
    return new Bar(
        workload.title + ": time over " + whose,
        limit,
        true,
        ratio(time(results, workload, FAST), best(results, workload, among)));
  }

  private static Bar atMostBest(double limit, Results results, Workload workload) {
    return atMost(limit, results, workload, "the best peer's", _ -> true);
  }

  private static Bar held(double limit, Results results, Allocator allocator) {
    return new Bar(
        Workload.LIVE_10K.title + ": held over peak live bytes, " + allocator.title(),
        limit,
        true,
        results.overhead(Workload.LIVE_10K.id, allocator));
  }

  /** The least time of some peers. */
  static OptionalDouble best(Results results, Workload workload, Predicate<Allocator> among) {
    return Allocator.peers().stream()
        .filter(among)
        .flatMapToDouble(peer -> time(results, workload, peer).stream())
        .min();
  }

  static OptionalDouble ratio(OptionalDouble one, OptionalDouble other) {
    return one.isEmpty() || other.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(one.getAsDouble() / other.getAsDouble());
  }

  private static double heldOnTrace(Results results, String trace) {
    return ratio(
            results.median(trace, FAST, Figures.HELD),
            results.median(trace, Allocator.CONFINED_LONGS, Figures.HELD))
        .orElse(Double.NaN);
  }

  private static DoubleStream ofTraces(
      Results results, Preset[] presets, ToDoubleFunction<String> figure) {
    return Stream.of(presets)
        .flatMap(preset -> results.traces(preset).map(trace -> Cell.nameOf(trace, preset)))
        .mapToDouble(figure)
        .filter(value -> !Double.isNaN(value));
  }
}
