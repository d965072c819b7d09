package io.cistern.trace.search;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolsConfig.Preset;
import io.cistern.layout.LayoutException;
import io.cistern.layout.PoolLayout;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageOptions;
import io.cistern.trace.replay.DecodedTrace;
import io.cistern.trace.report.FitReport;
import io.cistern.trace.report.FitReport.Row;
import io.cistern.trace.report.ReplayReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * Finds whether a trace fits a device's memory, on which layouts, and the smallest memory that
 * does, by replaying it on simulated devices. Where memory runs short, pools give free pages back;
 * so a layout may fit a smaller memory than it reserves where there is more.
 *
 * <p>The smallest memory is found by halving a range, to one part in 1024 of the trace's lower
 * bound or 64 KiB: it serves the trace, and the next smaller one tried does not. Whether some much
 * smaller one does as well is not looked at.
 *
 * <p>A fitting runs once, on one thread and its workers; {@link #interrupt} may come from any.
 */
public final class Fitting {

  private static final long LEAST_STEP = 64L << 10;
  private static final long PARTS = 1024;

  /** Of all work; the rest is the search for the smallest memory, about ten replays a layout. */
  private static final double SHARE_OF_FIRST = 0.1;

  private final DecodedTrace trace;
  private final long memory;
  private final StorageOptions device;
  private final List<NamedLayout> layouts;
  private final int threads;
  private final Progress progress;

  // Guarded by this.
  private double share;
  private int replays;

  private volatile boolean interrupted;

  /**
   * Describes a fitting.
   *
   * @param trace the trace
   * @param memory the device's memory
   * @param device how the simulated device is opened; its capacity is not looked at
   * @param layouts what is tried; empty: the presets, and the best of each kind of layout that a
   *     {@link LayoutSearch} begins with
   * @param threads how many threads replay
   * @param progress is told how far it is
   */
  public Fitting(
      DecodedTrace trace,
      MemorySize memory,
      StorageOptions device,
      List<NamedLayout> layouts,
      int threads,
      Progress progress) {
    this.trace = trace;
    this.memory = memory.bytes();
    this.device = device;
    this.layouts = List.copyOf(layouts);
    this.threads = threads;
    this.progress = progress;
  }

  /** Is told how far a fitting is, by one thread at a time. */
  @FunctionalInterface
  public interface Progress {

    /**
     * Hears where the fitting is.
     *
     * @param share how much is done, from 0 to 1; an estimate
     * @param replays how often the trace was replayed
     */
    void at(double share, int replays);
  }

  /**
   * Finds out.
   *
   * @throws LayoutException if a layout can't work on the device
   */
  public FitReport run() throws IOException {
    DeviceProperties properties = properties(memory);
    long lowerBound = trace.lowerBound(properties.byteAlignment());
    List<Row> rows;
    try (Workers workers = new Workers(threads)) {
      rows = tried(workers, layouts.isEmpty() ? usual(properties) : layouts);
      if (layouts.isEmpty()) {
        rows = bestOfEachName(rows);
      }
      double shareOfOne = (1 - SHARE_OF_FIRST) / rows.size();
      rows =
          workers.run(
              works(rows, row -> withSmallest(row, lowerBound), shareOfOne), this::interrupt);
    }
    return new FitReport(
        trace.name(),
        memory,
        properties.byteAlignment(),
        lowerBound,
        trace.recorded().stream().mapToLong(ReplayReport.Recorded::peakReserved).findFirst(),
        rows,
        interrupted);
  }

  private static List<NamedLayout> presets() {
    return Stream.of(Preset.values())
        .map(preset -> new NamedLayout(preset.text(), preset))
        .toList();
  }

  private List<NamedLayout> usual(DeviceProperties properties) {
    List<NamedLayout> usual = new ArrayList<>(presets());
    TraceShape shape = TraceShape.of(trace, properties.byteAlignment());
    for (Candidate candidate : StartingLayouts.of(List.of(shape), properties)) {
      usual.add(new NamedLayout(candidate.name(), candidate.layout().config()));
    }
    return usual;
  }

  /** Each layout on the device, those that fit first, fewest bytes first. */
  private List<Row> tried(Workers workers, List<NamedLayout> named) throws IOException {
    double shareOfOne = SHARE_OF_FIRST / named.size();
    List<Row> rows =
        new ArrayList<>(workers.run(works(named, this::tried, shareOfOne), this::interrupt));
    rows.sort(
        Comparator.comparing(Row::fits, Comparator.reverseOrder())
            .thenComparingLong(Row::peakReserved)
            .thenComparingLong(Row::driverCalls));
    return rows;
  }

  private interface Step<T> {
    Row run(T what);
  }

  private <T> List<Callable<Row>> works(List<T> list, Step<T> step, double shareOfOne) {
    return list.stream()
        .<Callable<Row>>map(
            what ->
                () -> {
                  Row row = step.run(what);
                  tell(shareOfOne, 0);
                  return row;
                })
        .toList();
  }

  private synchronized void tell(double moreShare, int moreReplays) {
    share += moreShare;
    replays += moreReplays;
    progress.at(Math.min(1, share), replays);
  }

  private Row tried(NamedLayout named) {
    PoolLayout layout = PoolLayout.resolve(named.pools(), properties(memory));
    ReplayReport.Figures figures = replay(layout, memory);
    return new Row(
        named.name(),
        layout,
        figures.peakReserved(),
        figures.driverCalls(),
        figures.refused(),
        figures.firstRefusal(),
        OptionalLong.empty());
  }

  private static List<Row> bestOfEachName(List<Row> sorted) {
    Set<String> names = new HashSet<>();
    return sorted.stream().filter(row -> names.add(row.name())).toList();
  }

  private Row withSmallest(Row row, long lowerBound) {
    return new Row(
        row.name(),
        row.layout(),
        row.peakReserved(),
        row.driverCalls(),
        row.refused(),
        row.firstRefusal(),
        smallest(row, lowerBound));
  }

  private OptionalLong smallest(Row row, long lowerBound) {
    if (serves(row, lowerBound)) {
      return OptionalLong.of(lowerBound);
    }
    long enough = row.fits() ? memory : Math.max(memory, lowerBound);
    if (row.fits() && serves(row, row.peakReserved())) {
      enough = row.peakReserved();
    }
    while (!serves(row, enough)) {
      enough *= 2;
      if (enough > PageSizes.MOST || interrupted) {
        return OptionalLong.empty();
      }
    }
    long tooLittle = lowerBound;
    while (enough - tooLittle > Math.max(LEAST_STEP, lowerBound / PARTS)) {
      if (interrupted) {
        return OptionalLong.empty();
      }
      long middle = tooLittle + (enough - tooLittle) / 2;
      if (serves(row, middle)) {
        enough = middle;
      } else {
        tooLittle = middle;
      }
    }
    return OptionalLong.of(enough);
  }

  /** A preset is another one on a device with other memory; some sizes of memory have none. */
  private boolean serves(Row row, long capacity) {
    try {
      return capacity > 0 && replay(row.layout(), capacity).refused() == 0;
    } catch (LayoutException e) {
      return false;
    }
  }

  private ReplayReport.Figures replay(PoolLayout layout, long capacity) {
    try (SimulatedStorage storage = open(capacity)) {
      ReplayReport.Figures figures = trace.replay(storage, layout.config()).figures();
      tell(0, 1);
      return figures;
    }
  }

  private SimulatedStorage open(long capacity) {
    return SimulatedStorage.open(device.withCapacity(MemorySize.of(capacity)));
  }

  private DeviceProperties properties(long capacity) {
    try (SimulatedStorage storage = open(capacity)) {
      return storage.properties();
    }
  }

  /** Ends it soon; {@link #run} then returns what there is, marked. */
  public void interrupt() {
    interrupted = true;
  }
}
