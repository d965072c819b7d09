package io.cistern.benchmarks.suite;

import static io.cistern.benchmarks.suite.Results.ratio;

import io.cistern.benchmarks.peers.Allocator;
import io.cistern.config.MemoryPoolsConfig.Preset;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The bars that Cistern must reach, each of them whatever a run measured. */
final class Bars {

  private static final Allocator FAST = Allocator.fastPath();

  private final Results results;
  private final List<Bar> bars = new ArrayList<>();

  private Bars(Results results) {
    this.results = results;
  }

  static List<Bar> of(Results results) {
    Bars bars = new Bars(results);
    bars.oneThread();
    bars.objectHandles();
    bars.twoThreads();
    bars.heldBytes();
    bars.traces();
    bars.millionLive();
    return List.copyOf(bars.bars);
  }

  private void oneThread() {
    over(1.4, Workload.FIXED, Allocator.JEMALLOC);
    atMost(
        1,
        Workload.FIXED.title,
        "time over that of the best peer but jemalloc",
        ratio(
            results.time(Workload.FIXED, FAST),
            results.best(Workload.FIXED, peer -> peer != Allocator.JEMALLOC)));
    overBest(1, Workload.LIVE_100);
    overBest(1, Workload.LIVE_10K);
    over(0.6, Workload.LIVE_10K, Allocator.MIMALLOC);
    overBest(0.7, Workload.LIVE_100K);
    overBest(0.7, Workload.LIVE_1M);
    overBest(1, Workload.LARGE);
    overBest(1, Workload.FIFO);
  }

  private void objectHandles() {
    for (Workload workload : Workload.values()) {
      if (workload.plan.threads() == 1) {
        atMost(
            1.6,
            workload.title,
            "time with object handles over that with long ones",
            ratio(results.time(workload, Allocator.SHARED_OBJECTS), results.time(workload, FAST)));
      }
    }
  }

  private void twoThreads() {
    overBest(1.1, Workload.FIXED_TWICE);
    overBest(1.1, Workload.LIVE_10K_TWICE);
    overBest(1.1, Workload.HAND_OVER);
    OptionalDouble speedUp =
        ratio(
            results.median(Workload.FIXED.id, FAST, Results.WALL),
            results.median(Workload.FIXED_TWICE.id, FAST, Results.WALL));
    bars.add(
        Bar.atLeast(
            1.8,
            Workload.FIXED_TWICE.title,
            "pairs a second over those of one thread",
            speedUp.stream().map(each -> 2 * each).findFirst()));
  }

  private void heldBytes() {
    held(1.20, FAST);
    held(1.12, Cell.WITHOUT_MAGAZINES);
  }

  private void held(double limit, Allocator allocator) {
    atMost(
        limit,
        Workload.LIVE_10K.title,
        "held over peak live bytes, " + allocator.title(),
        results.overhead(Workload.LIVE_10K.id, allocator));
  }

  private void traces() {
    atMost(
        1.02,
        "All traces",
        "held bytes of the shared manager over those of the confined one, worst",
        ofTraces(this::heldOverConfined, Preset.values()).max());
    atMost(
        25,
        "All traces, `%s`".formatted(Preset.SUB_SLICES.text()),
        "CPU ns a row, median",
        Results.median(
            ofTraces(trace -> results.median(trace, FAST, Figures.CPU), Preset.SUB_SLICES)));
  }

  private OptionalDouble heldOverConfined(String trace) {
    return ratio(
        results.median(trace, FAST, Figures.HELD),
        results.median(trace, Cell.WITHOUT_MAGAZINES, Figures.HELD));
  }

  private DoubleStream ofTraces(Function<String, OptionalDouble> figure, Preset... presets) {
    return Stream.of(presets)
        .flatMap(preset -> results.traces(preset).map(trace -> Cell.nameOf(trace, preset)))
        .map(figure)
        .flatMapToDouble(OptionalDouble::stream);
  }

  private void millionLive() {
    told("CPU ns of an allocation while they are made", Figures.FILL);
    told("CPU ns of replacing one", Figures.CPU);
    told("CPU ns of a free while all are freed", Figures.EMPTY);
    told("bytes on the Java heap for the bookkeeping of one", Figures.HEAP);
  }

  private void told(String what, String figure) {
    bars.add(
        Bar.told(Workload.LIVE_1M.title, what, results.median(Workload.LIVE_1M.id, FAST, figure)));
  }

  private void over(double limit, Workload workload, Allocator peer) {
    atMost(
        limit,
        workload.title,
        "time over that of " + peer.title(),
        ratio(results.time(workload, FAST), results.time(workload, peer)));
  }

  private void overBest(double limit, Workload workload) {
    atMost(
        limit,
        workload.title,
        "time over that of the best peer",
        ratio(results.time(workload, FAST), results.best(workload, _ -> true)));
  }

  private void atMost(double limit, String where, String what, OptionalDouble measured) {
    bars.add(Bar.atMost(limit, where, what, measured));
  }
}
