package io.cistern.trace.search;

import io.cistern.layout.LayoutException;
import io.cistern.storage.Storage;
import io.cistern.trace.ReadOptions;
import io.cistern.trace.replay.LowerBound;
import io.cistern.trace.replay.Replay;
import io.cistern.trace.report.CompareReport;
import io.cistern.trace.report.ReplayReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Replays traces on layouts, side by side on many threads, each from its file and in memory that
 * grows with what is live alone.
 *
 * <p>A comparison runs once, on one thread and its workers; {@link #interrupt} may come from any.
 */
public final class Comparison {

  private final Builder options;
  private final Supplier<? extends Storage> devices;
  private final long byteAlignment;
  private final List<Replay> replays = new ArrayList<>();

  // By piece of work: what it has read of its file, and the rows that it has replayed.
  private final AtomicLongArray bytesRead;
  private final AtomicLongArray operations;
  private volatile boolean interrupted;

  private Comparison(Builder builder) {
    this.options = builder;
    this.devices = Objects.requireNonNull(builder.devices, "devices");
    try (Storage storage = devices.get()) {
      this.byteAlignment = storage.properties().byteAlignment();
    }
    int pieces = builder.traces.size() * (1 + builder.layouts.size());
    this.bytesRead = new AtomicLongArray(pieces);
    this.operations = new AtomicLongArray(pieces);
  }

  /**
   * Begins to describe a comparison.
   *
   * @param traces the files, one or more
   * @param layouts what they are replayed on
   */
  public static Builder of(List<Path> traces, List<NamedLayout> layouts) {
    return new Builder(traces, layouts);
  }

  /** What a piece of work comes to: the bound of a trace, or a replay of it. */
  private record Piece(OptionalLong lowerBound, @Nullable ReplayReport report) {}

  /**
   * Compares.
   *
   * @return what was finished
   * @throws IOException if a trace can't be read, or has a bad row and is not read leniently
   * @throws LayoutException if a layout can't work on the device
   */
  public CompareReport run() throws IOException {
    List<Callable<Piece>> work = new ArrayList<>();
    for (Path trace : options.traces) {
      work.add(bound(trace, work.size()));
      for (NamedLayout layout : options.layouts) {
        work.add(replay(trace, layout, work.size()));
      }
    }
    List<Piece> pieces;
    try (Workers workers = new Workers(options.threads)) {
      pieces = workers.run(work, this::interrupt);
    }
    return report(pieces);
  }

  private Callable<Piece> bound(Path trace, int piece) {
    return () ->
        new Piece(
            LowerBound.of(
                trace,
                options.reading,
                options.lenient,
                byteAlignment,
                read -> progress(piece, read, 0),
                () -> interrupted),
            null);
  }

  private Callable<Piece> replay(Path trace, NamedLayout layout, int piece) {
    Replay replay =
        Replay.of(trace)
            .reading(options.reading)
            .lenient(options.lenient)
            .devices(devices)
            .deviceName(options.deviceName)
            .pools(layout.pools())
            .layoutName(layout.name())
            .progress((_, read, rows) -> progress(piece, read, rows))
            .build();
    replays.add(replay);
    return () -> new Piece(OptionalLong.empty(), interrupted ? null : replay.run());
  }

  private CompareReport report(List<Piece> pieces) {
    List<CompareReport.Row> rows = new ArrayList<>();
    int piece = 0;
    for (int trace = 0; trace < options.traces.size(); trace++) {
      OptionalLong lowerBound = pieces.get(piece++).lowerBound;
      for (int layout = 0; layout < options.layouts.size(); layout++) {
        ReplayReport report = pieces.get(piece++).report;
        if (report != null && !report.interrupted() && lowerBound.isPresent()) {
          rows.add(new CompareReport.Row(report, lowerBound.getAsLong()));
        }
      }
    }
    return new CompareReport(
        options.deviceName, byteAlignment, rows, options.traces.size() * options.layouts.size());
  }

  private void progress(int piece, long read, long rows) {
    bytesRead.set(piece, read);
    operations.set(piece, rows);
    synchronized (this) {
      long allRead = 0;
      long allRows = 0;
      for (int i = 0; i < bytesRead.length(); i++) {
        allRead += bytesRead.get(i);
        allRows += operations.get(i);
      }
      options.progress.at(allRead, allRows);
    }
  }

  /** Ends the comparison soon; {@link #run} then returns what was finished. */
  public void interrupt() {
    interrupted = true;
    replays.forEach(Replay::interrupt);
  }

  /** Is told how far a comparison is, by one thread at a time. */
  @FunctionalInterface
  public interface Progress {

    /**
     * Hears where the comparison is.
     *
     * @param byteCount the bytes of files that were read: at the end, each file once for each
     *     layout and once more
     * @param operations the rows that were replayed
     */
    void at(long byteCount, long operations);
  }

  /** What is compared, and how. Not safe for many threads. */
  public static final class Builder {

    private final List<Path> traces;
    private final List<NamedLayout> layouts;
    private @Nullable Supplier<? extends Storage> devices;
    private String deviceName = "device";
    private ReadOptions reading = ReadOptions.DEFAULT;
    private boolean lenient;
    private int threads = Runtime.getRuntime().availableProcessors();
    private Progress progress = (_, _) -> {};

    private Builder(List<Path> traces, List<NamedLayout> layouts) {
      this.traces = List.copyOf(traces);
      this.layouts = List.copyOf(layouts);
    }

    /** Opens a device for each replay, which closes it; called by many threads. */
    public Builder devices(Supplier<? extends Storage> open) {
      this.devices = open;
      return this;
    }

    /** How the report names the device; without this, {@code device}. */
    public Builder deviceName(String name) {
      this.deviceName = name;
      return this;
    }

    /** How the traces are read; without this, as their content shows. */
    public Builder reading(ReadOptions how) {
      this.reading = how;
      return this;
    }

    /** Whether bad rows are skipped and counted; otherwise the first is an error. */
    public Builder lenient(boolean skip) {
      this.lenient = skip;
      return this;
    }

    /**
     * How many replays run at once; without this, one for each core.
     *
     * @param count 1 or more
     */
    public Builder threads(int count) {
      this.threads = count;
      return this;
    }

    /** Who is told how far the comparison is. */
    public Builder progress(Progress who) {
      this.progress = who;
      return this;
    }

    /**
     * The comparison, ready to run.
     *
     * @throws NullPointerException if the devices were not given
     */
    public Comparison build() {
      return new Comparison(this);
    }
  }
}
