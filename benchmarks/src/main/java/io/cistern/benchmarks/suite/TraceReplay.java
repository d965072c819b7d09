package io.cistern.benchmarks.suite;

import io.cistern.MemoryUsage;
import io.cistern.benchmarks.Devices;
import io.cistern.benchmarks.peers.Allocator;
import io.cistern.benchmarks.peers.CisternManager;
import io.cistern.benchmarks.peers.Slots;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A whole trace on the simulated device, a manager for each stream. Each time on managers that have
 * no page yet; opening and closing them is not measured.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TraceReplay {

  @Param public Allocator allocator = Allocator.SHARED_LONGS;

  @Param public MemoryPoolsConfig.Preset preset = MemoryPoolsConfig.Preset.SUB_SLICES;

  /** The file. */
  @Param("")
  public String trace = "";

  private final Spent spent = new Spent();
  private @Nullable TraceRows rows;
  private @Nullable Storage storage;
  private final List<CisternManager> managers = new ArrayList<>();
  private Slots[] streams = {};

  @Setup(Level.Trial)
  public void read() throws IOException {
    Figures.clear();
    rows = TraceRows.of(Path.of(trace));
    Figures.max(Figures.OPERATIONS, rows.slots.length);
  }

  @Setup(Level.Invocation)
  public void open() {
    TraceRows all = Objects.requireNonNull(rows);
    storage = Devices.open("simulated");
    streams = new Slots[all.streamCount];
    for (int stream = 0; stream < streams.length; stream++) {
      CisternManager manager = (CisternManager) allocator.open(storage, preset);
      managers.add(manager);
      streams[stream] = manager.slots(all.slotCount);
    }
  }

  /** Counts each replay, since opening and closing are part of JMH's iteration. */
  @Benchmark
  public void replay() {
    spent.start();
    replayRows();
    spent.stop();
  }

  private void replayRows() {
    TraceRows all = Objects.requireNonNull(rows);
    for (int row = 0; row < all.slots.length; row++) {
      Slots slots = streams[all.streams[row]];
      long byteSize = all.byteSizes[row];
      if (byteSize == TraceRows.FREE) {
        slots.free(all.slots[row]);
      } else {
        slots.allocate(all.slots[row], byteSize);
      }
    }
  }

  @TearDown(Level.Invocation)
  public void close() {
    Figures.max(Figures.HELD, sum(usage -> usage.reservedPeak().bytes()));
    Figures.max(Figures.PEAK_LIVE, sum(usage -> usage.inUsePeak().bytes()));
    freeRest();
    managers.forEach(CisternManager::close);
    managers.clear();
    Objects.requireNonNull(storage).close();
  }

  private double sum(ToLongFunction<MemoryUsage> figure) {
    return managers.stream().map(CisternManager::usage).mapToLong(figure).sum();
  }

  private void freeRest() {
    TraceRows all = Objects.requireNonNull(rows);
    for (int row : all.neverFreed) {
      streams[all.streams[row]].free(all.slots[row]);
    }
  }
}
