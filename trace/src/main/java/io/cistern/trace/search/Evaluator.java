package io.cistern.trace.search;

import io.cistern.layout.PoolLayout;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageOptions;
import io.cistern.trace.replay.DecodedTrace.Replayed;
import io.cistern.trace.report.ReplayReport;
import io.cistern.trace.report.SearchReport.OnTrace;
import io.cistern.trace.report.SearchReport.Scored;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/** Replays layouts on the traces, on a simulated device. Any number of threads may use it. */
final class Evaluator {

  /** A few more passes once the JVM is warm; the least disturbed one counts. */
  private static final int TIMED_PASSES = 5;

  private final List<TraceShape> traces;
  private final StorageOptions device;

  Evaluator(List<TraceShape> traces, StorageOptions device) {
    this.traces = List.copyOf(traces);
    this.device = device;
  }

  Trial evaluate(Candidate candidate) {
    List<OnTrace> onTraces = new ArrayList<>();
    long[] pagesPeak = new long[candidate.layout().pools().size()];
    for (TraceShape shape : traces) {
      ReplayReport.Figures figures = replay(shape, candidate.layout()).figures();
      onTraces.add(onTrace(shape, figures));
      for (ReplayReport.PoolFigures pool : figures.pools()) {
        int index = pool.report().index();
        pagesPeak[index] = Math.max(pagesPeak[index], pool.report().pagesPeak());
      }
    }
    Scored scored =
        new Scored(candidate.name(), candidate.layout(), onTraces, OptionalDouble.empty());
    return new Trial(
        candidate,
        scored,
        scored.ratio(),
        scored.calls(),
        Arrays.stream(pagesPeak).boxed().toList());
  }

  /** The same score with the time of an operation. For one thread at a time, on a quiet machine. */
  Scored timed(Scored scored) {
    long nanos = 0;
    long operations = 0;
    for (TraceShape shape : traces) {
      long least = Long.MAX_VALUE;
      for (int i = 0; i < TIMED_PASSES; i++) {
        least = Math.min(least, replay(shape, scored.layout()).nanos());
      }
      nanos += least;
      operations += shape.trace().operations();
    }
    return new Scored(
        scored.name(),
        scored.layout(),
        scored.traces(),
        operations == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) nanos / operations));
  }

  private Replayed replay(TraceShape shape, PoolLayout layout) {
    try (SimulatedStorage storage = SimulatedStorage.open(device)) {
      return shape.trace().replay(storage, layout.config());
    }
  }

  private static OnTrace onTrace(TraceShape shape, ReplayReport.Figures figures) {
    return new OnTrace(
        shape.trace().name(),
        figures.operations(),
        figures.refused(),
        shape.lowerBound(),
        figures.peakReserved(),
        figures.driverCalls(),
        figures.recorded().stream().mapToLong(ReplayReport.Recorded::peakReserved).findFirst());
  }
}
