package io.cistern.trace.replay;

import io.cistern.config.MemoryPoolsConfig;
import io.cistern.layout.LayoutException;
import io.cistern.layout.PoolLayout;
import io.cistern.manager.MemoryReport;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Storage;
import io.cistern.trace.ReadOptions;
import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceReader;
import io.cistern.trace.file.Traces;
import io.cistern.trace.input.CountingInput;
import io.cistern.trace.picture.Curves;
import io.cistern.trace.picture.MemoryMap;
import io.cistern.trace.report.ReplayReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Replays a trace on a layout of pools: what would its memory have cost there?
 *
 * <p>The trace is streamed; memory grows with the allocations that are live at once. Each stream of
 * the trace gets a manager of its own. A request that can't be served is counted and the replay
 * goes on; the free of such an allocation does nothing.
 *
 * <p>A replay runs once, on one thread; {@link #interrupt} may come from any.
 */
public final class Replay {

  private final Path trace;
  private final Supplier<? extends Storage> devices;
  private final MemoryPoolsConfig pools;
  private final Builder options;
  private final Chunk chunk;
  private volatile boolean interrupted;

  private Replay(Builder builder) {
    this.options = builder.copy();
    int rows = builder.touch ? Chunk.FEW_ROWS : Chunk.MANY_ROWS;
    this.chunk = builder.curves == null ? new Chunk(rows) : Chunk.forPictures(rows);
    this.trace = builder.trace;
    this.devices = Objects.requireNonNull(builder.devices, "devices");
    this.pools = Objects.requireNonNull(builder.pools, "pools");
  }

  /** Begins to describe a replay of a trace file. */
  public static Builder of(Path trace) {
    return new Builder(trace);
  }

  /**
   * Replays, as often as was asked for.
   *
   * @throws TraceException if the trace has a bad row and is not read leniently
   * @throws IOException if the trace can't be read
   * @throws LayoutException if the pools can't work on the device
   * @throws UnsupportedOperationException if slices are to be touched and the device has no copies
   * @throws IllegalStateException if passes differ in more than their time, which is a defect of
   *     the pools
   */
  public ReplayReport run() throws IOException {
    long start = System.nanoTime();
    List<Long> nanos = new ArrayList<>();
    Outcome first = pass(0);
    Outcome last = first;
    while (last.whole) {
      checkSame(first, last);
      nanos.add(last.nanos);
      if (nanos.size() >= options.passes
          && System.nanoTime() - start >= options.atLeast.toNanos()) {
        return report(first, nanos, !drawMap(first, nanos.size()));
      }
      if (interrupted) {
        break;
      }
      last = pass(nanos.size());
    }
    return report(first, nanos, true);
  }

  /** Records the map, if it is wanted; false if that was interrupted. */
  private boolean drawMap(Outcome first, int number) throws IOException {
    if (options.map == null) {
      return true;
    }
    MapRecording recording = new MapRecording(options.map, Objects.requireNonNull(options.curves));
    Outcome drawn = pass(number, _ -> pools, recording);
    recording.end();
    // It does not look for slices that were overwritten.
    if (drawn.whole && first.figures.mismatches() == 0) {
      checkSame(first, drawn);
    }
    return drawn.whole;
  }

  private static void checkSame(Outcome first, Outcome other) {
    if (!first.subject.equals(other.subject) || !first.figures.equals(other.figures)) {
      throw new IllegalStateException(
          "two passes over the same trace differ: "
              + (first.subject + " " + first.figures)
              + ", then "
              + (other.subject + " " + other.figures));
    }
  }

  /**
   * Ends the replay soon; {@link #run} then returns what there is, marked. Does nothing after the
   * end of the replay.
   */
  public void interrupt() {
    interrupted = true;
  }

  /** The pools of each stream, as they were asked for. */
  MemoryPoolsConfig pools() {
    return pools;
  }

  /**
   * What a pass found.
   *
   * @param subject what ran on what
   * @param figures what the pools did
   * @param layout the layout that the pass began with
   * @param reports what each stream's pools did
   * @param nanos the time
   * @param whole whether the trace was run to its end
   */
  record Outcome(
      ReplayReport.Subject subject,
      ReplayReport.Figures figures,
      PoolLayout layout,
      SortedMap<Integer, MemoryReport> reports,
      long nanos,
      boolean whole) {}

  private Outcome pass(int number) throws IOException {
    return pass(number, _ -> pools, options.touch ? new Touching() : null);
  }

  /**
   * Runs the trace once, on a fresh device.
   *
   * @param number which pass this is, from 0
   * @param poolsFor the pools of each stream on a device
   * @param watching who looks on; null: nobody
   */
  Outcome pass(
      int number,
      Function<DeviceProperties, MemoryPoolsConfig> poolsFor,
      @Nullable Watching watching)
      throws IOException {
    try (Storage storage = devices.get()) {
      if (watching != null) {
        watching.begins(storage.properties());
      }
      PoolLayout layout =
          PoolLayout.resolve(poolsFor.apply(storage.properties()), storage.properties());
      return pass(number, storage, layout, watching);
    }
  }

  private Outcome pass(int number, Storage storage, PoolLayout layout, @Nullable Watching watching)
      throws IOException {
    TraceFaults faults = TraceFaults.of(trace.toString(), options.lenient);
    try (CountingInput in = new CountingInput(Files.newInputStream(trace));
        TraceReader reader = Traces.open(in, reading(watching), faults);
        ReplayPass pass =
            new ReplayPass(storage, layout.config(), watching, curves(number, layout))) {
      ChunkDecoder decoder = new ChunkDecoder(reader, faults);
      boolean more = true;
      while (!interrupted && (more = decoder.decode(chunk))) {
        pass.run(chunk, decoder.streamIndices(), decoder.live().slots(), () -> interrupted);
        options.progress.at(number, in.byteCount(), pass.operations());
      }
      pass.end();
      if (options.curves != null && !decoder.hasClock()) {
        options.curves.dropTimes();
      }
      SortedMap<Integer, MemoryReport> reports = pass.reports();
      return new Outcome(
          subject(layout.device()),
          pass.figures(faults.skipped(), decoder.recorded(), reports),
          layout,
          reports,
          pass.nanos(),
          !more);
    }
  }

  private ReadOptions reading(@Nullable Watching watching) {
    return watching != null && watching.wantsOrigins()
        ? options.reading.withOrigins()
        : options.reading;
  }

  /** The first pass has its curves recorded; the others are the same. */
  private @Nullable CurveRecording curves(int number, PoolLayout layout) {
    return number > 0 || options.curves == null
        ? null
        : new CurveRecording(options.curves, layout.device().byteAlignment());
  }

  private ReplayReport.Subject subject(DeviceProperties device) {
    return new ReplayReport.Subject(
        trace.toString(),
        options.deviceName.orElse(device.name()),
        options.layoutName.orElse(
            pools instanceof MemoryPoolsConfig.Preset preset ? preset.text() : "explicit"),
        device.byteAlignment(),
        device.maxPageSize().bytes(),
        options.touch);
  }

  private static ReplayReport report(Outcome outcome, List<Long> nanos, boolean interrupted) {
    long time = nanos.isEmpty() ? outcome.nanos : medianOfLaterHalf(nanos);
    return new ReplayReport(
        outcome.subject, outcome.figures, new ReplayReport.Timing(nanos.size(), time), interrupted);
  }

  /** The JVM is warm then. */
  private static long medianOfLaterHalf(List<Long> nanos) {
    List<Long> later = nanos.stream().skip(nanos.size() / 2).sorted().toList();
    int middle = later.size() / 2;
    return later.size() % 2 == 1
        ? later.get(middle)
        : (later.get(middle - 1) + later.get(middle)) / 2;
  }

  /** What is replayed, on what, and how. Not safe for many threads. */
  public static final class Builder {

    private final Path trace;
    private @Nullable Supplier<? extends Storage> devices;
    private @Nullable MemoryPoolsConfig pools;
    private ReadOptions reading = ReadOptions.DEFAULT;
    private boolean lenient;
    private boolean touch;
    private int passes = 1;
    private Duration atLeast = Duration.ZERO;
    private Optional<String> deviceName = Optional.empty();
    private Optional<String> layoutName = Optional.empty();
    private ReplayProgress progress = (pass, byteCount, operations) -> {};
    private @Nullable Curves curves;
    private @Nullable MemoryMap map;

    private Builder(Path trace) {
      this.trace = Objects.requireNonNull(trace, "trace");
    }

    private Builder copy() {
      Builder copy = new Builder(trace);
      copy.reading = reading;
      copy.lenient = lenient;
      copy.touch = touch;
      copy.passes = passes;
      copy.atLeast = atLeast;
      copy.deviceName = deviceName;
      copy.layoutName = layoutName;
      copy.progress = progress;
      copy.curves = curves;
      copy.map = map;
      return copy;
    }

    /** Opens the device; called once for each pass, which closes it. */
    public Builder devices(Supplier<? extends Storage> open) {
      this.devices = open;
      return this;
    }

    /** The pools of each stream. */
    public Builder pools(MemoryPoolsConfig config) {
      this.pools = config;
      return this;
    }

    /** How the report names the device; without this, as it names itself. */
    public Builder deviceName(String name) {
      this.deviceName = Optional.of(name);
      return this;
    }

    /**
     * How the report names the layout; without this, as the preset is named, or {@code explicit}.
     */
    public Builder layoutName(String name) {
      this.layoutName = Optional.of(name);
      return this;
    }

    /** How the trace is read; without this, as its content shows. */
    public Builder reading(ReadOptions how) {
      this.reading = Objects.requireNonNull(how, "how");
      return this;
    }

    /** Whether bad rows are skipped and counted; otherwise the first is an error. */
    public Builder lenient(boolean skip) {
      this.lenient = skip;
      return this;
    }

    /**
     * Whether to fill each slice with a pattern of its own and to verify it before its free, and at
     * the end, so that overlap shows. The time of a touched replay includes the touching.
     */
    public Builder touch(boolean write) {
      this.touch = write;
      return this;
    }

    /**
     * How often to replay, each time on a fresh device.
     *
     * @param atLeastPasses at least so many passes, 1 or more
     * @param atLeastTime and for at least so long
     */
    public Builder repeat(int atLeastPasses, Duration atLeastTime) {
      if (atLeastPasses < 1 || atLeastTime.isNegative()) {
        throw new IllegalArgumentException(
            "a replay takes at least 1 pass and no negative time, not "
                + atLeastPasses
                + " passes and "
                + atLeastTime);
      }
      this.passes = atLeastPasses;
      this.atLeast = atLeastTime;
      return this;
    }

    /** Who is told how far the replay is. */
    public Builder progress(ReplayProgress who) {
      this.progress = Objects.requireNonNull(who, "who");
      return this;
    }

    /**
     * Records what memory was used for over the rows of the trace, in the first pass, outside of
     * what is timed.
     *
     * @param into empty curves
     */
    public Builder curves(Curves into) {
      this.curves = Objects.requireNonNull(into, "into");
      return this;
    }

    /**
     * Records where slices lay at some moments, among them the peaks, in one more pass, which
     * counts for no time. Curves have to be recorded too: they tell where the peaks are.
     *
     * @param into an empty map
     */
    public Builder map(MemoryMap into) {
      this.map = Objects.requireNonNull(into, "into");
      return this;
    }

    /**
     * A plan for the trace, ready to run, instead of a replay.
     *
     * @throws NullPointerException if the devices or the pools were not given
     * @throws IllegalStateException if slices are to be touched, passes to be repeated, or pictures
     *     to be recorded: a plan has two passes, and measures one of them without memory
     */
    public Plan plan() {
      if (touch || passes > 1 || !atLeast.isZero() || curves != null || map != null) {
        throw new IllegalStateException(
            "a plan does not touch slices, has two passes and no pictures");
      }
      return new Plan(build());
    }

    /**
     * The replay, ready to run.
     *
     * @throws NullPointerException if the devices or the pools were not given
     * @throws IllegalStateException if a map is to be recorded without curves
     */
    public Replay build() {
      if (map != null && curves == null) {
        throw new IllegalStateException("a map needs curves, which tell where the peaks are");
      }
      return new Replay(this);
    }
  }
}
