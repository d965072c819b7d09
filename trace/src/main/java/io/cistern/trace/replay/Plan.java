package io.cistern.trace.replay;

import io.cistern.config.MemoryPoolsConfig;
import io.cistern.layout.LayoutException;
import io.cistern.layout.PoolLayout;
import io.cistern.manager.MeasuredPlan;
import io.cistern.trace.TraceException;
import io.cistern.trace.report.PlanReport;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Plans a layout for a trace: caps each sliced pool at what the trace needs, and shows that it fits
 * there.
 *
 * <p>A first pass runs in a dry run, which takes no memory of the device, and measures. A second
 * pass, on a fresh device and with memory, has each stream's pools capped at that stream's own
 * peaks; it is compared with the first, place by place. See {@link MeasuredPlan}.
 *
 * <pre>{@code
 * Optional<PlanReport> report = Replay.of(trace).devices(open).pools(pools).plan().run();
 * }</pre>
 *
 * <p>A plan runs once, on one thread; {@link #interrupt} may come from any. Its progress is that of
 * two passes.
 */
public final class Plan {

  private final Replay replay;

  Plan(Replay replay) {
    this.replay = replay;
  }

  /**
   * Measures and replays.
   *
   * @return what came of it; empty if it was interrupted
   * @throws TraceException if the trace has a bad row and is not read leniently
   * @throws IOException if the trace can't be read
   * @throws LayoutException if the pools can't work on the device
   */
  public Optional<PlanReport> run() throws IOException {
    // A dry run ends with its manager, which ends with its pass.
    Placements measuring = new Placements((manager, _) -> manager.openDryRun());
    Replay.Outcome measured =
        replay.pass(0, device -> MeasuredPlan.toMeasure(replay.pools(), device), measuring);
    if (!measured.whole()) {
      return Optional.empty();
    }
    PoolLayout layout = measured.layout();
    MemoryPoolsConfig capped = MeasuredPlan.capped(layout, measured.reports().values());
    Map<Integer, MemoryPoolsConfig> ofStreams =
        measured.reports().entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey, entry -> MeasuredPlan.capped(entry.getValue())));
    Placements replaying =
        new Placements(
            (manager, stream) -> manager.install(ofStreams.getOrDefault(stream, capped)));
    Replay.Outcome replayed = replay.pass(1, _ -> capped, replaying);
    if (!replayed.whole()) {
      return Optional.empty();
    }
    return Optional.of(
        new PlanReport(
            measured.subject(),
            measured.figures(),
            replayed.figures(),
            measuring.fingerprint() == replaying.fingerprint(),
            PoolLayout.resolve(capped, layout.device())));
  }

  /** Ends the plan soon, without a report. Does nothing after its end. */
  public void interrupt() {
    replay.interrupt();
  }
}
