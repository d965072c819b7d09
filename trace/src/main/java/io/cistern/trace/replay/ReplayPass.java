package io.cistern.trace.replay;

import io.cistern.AllocationException;
import io.cistern.MemoryUsage;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.Allocation;
import io.cistern.manager.DeviceMemory;
import io.cistern.manager.MemoryManager;
import io.cistern.manager.MemoryReport;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageAdaptor;
import io.cistern.storage.StorageBlock;
import io.cistern.trace.report.ReplayReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One pass over a trace, on a fresh device.
 *
 * <p>The clock runs around a chunk that lies decoded in arrays; what is between the two readings is
 * the pools' work and a loop over these arrays.
 */
final class ReplayPass implements AutoCloseable {

  private final DeviceMemory memory;
  private final @Nullable Watching watching;
  private final @Nullable CurveRecording curves;

  // By stream index and by slot. A handle stays in its slot after its close, until the next use; a
  // slot whose allocation was refused has none.
  private MemoryManager[] managers = new MemoryManager[0];
  private @Nullable Allocation[] handles = new Allocation[1024];

  // The row of the chunk that is under way, for who hears of driver calls.
  private int row;

  private long allocations;
  private long frees;
  private long refused;
  private long nanos;
  private ReplayReport.@Nullable Refusal firstRefusal;

  ReplayPass(
      Storage storage,
      MemoryPoolsConfig pools,
      @Nullable Watching watching,
      @Nullable CurveRecording curves) {
    this.memory =
        DeviceMemory.open(
            watching == null && curves == null ? storage : new Overheard(storage), pools);
    this.watching = watching;
    this.curves = curves;
  }

  /** Passes on what the driver is asked for. */
  private final class Overheard extends StorageAdaptor {

    Overheard(Storage delegate) {
      super(delegate);
    }

    @Override
    public StorageBlock allocate(long byteSize) {
      StorageBlock block = super.allocate(byteSize);
      if (curves != null) {
        curves.reserved(row, block.byteSize());
      }
      if (watching != null) {
        watching.made(block);
      }
      return block;
    }

    @Override
    public void free(StorageBlock block) {
      long byteSize = block.byteSize();
      super.free(block);
      if (curves != null) {
        curves.reserved(row, -byteSize);
      }
      if (watching != null) {
        watching.givenBack(block);
      }
    }
  }

  /** The rows replayed so far. */
  long operations() {
    return allocations + frees;
  }

  /** The time so far, in nanoseconds. */
  long nanos() {
    return nanos;
  }

  /**
   * Replays a chunk, up to where a watched one is interrupted.
   *
   * @param chunk the rows
   * @param streamIndices the streams so far, with their indices
   * @param slots there are slots from 0 to below this
   * @param interrupted whether it is
   */
  void run(
      Chunk chunk, Map<Integer, Integer> streamIndices, int slots, BooleanSupplier interrupted) {
    prepare(streamIndices, slots);
    int count = chunk.count;
    long start = System.nanoTime();
    if (watching == null) {
      runPlain(chunk);
    } else {
      count = runWatched(chunk, watching, interrupted);
    }
    nanos += System.nanoTime() - start;
    for (int i = 0; i < count; i++) {
      if (chunk.byteSizes[i] == Chunk.FREE) {
        frees++;
      } else {
        allocations++;
      }
    }
    if (curves != null) {
      curves.add(chunk, count, handles.length);
    }
  }

  /** Opens managers and makes room, so that the loop need not ask. */
  private void prepare(Map<Integer, Integer> streamIndices, int slots) {
    if (managers.length < streamIndices.size()) {
      int known = managers.length;
      managers = Arrays.copyOf(managers, streamIndices.size());
      streamIndices.forEach(
          (stream, index) -> {
            if (index >= known) {
              managers[index] = open(index, stream);
            }
          });
    }
    if (handles.length < slots) {
      handles = Arrays.copyOf(handles, Math.max(2 * handles.length, slots));
    }
  }

  private MemoryManager open(int index, int stream) {
    MemoryManager manager = memory.stream(stream);
    if (watching != null) {
      watching.opened(index, stream, manager);
    }
    return manager;
  }

  private void runPlain(Chunk chunk) {
    int from = 0;
    while (from < chunk.count) {
      from = runUntilRefused(chunk, from);
    }
  }

  /** Replays rows up to the first refused one; returns where to go on. */
  private int runUntilRefused(Chunk chunk, int from) {
    int[] slots = chunk.slots;
    long[] byteSizes = chunk.byteSizes;
    int[] streams = chunk.streams;
    MemoryManager[] allocators = managers;
    @Nullable Allocation[] bySlot = handles;
    int count = chunk.count;
    int i = from;
    try {
      for (; i < count; i++) {
        row = i;
        int slot = slots[i];
        long byteSize = byteSizes[i];
        if (byteSize != Chunk.FREE) {
          bySlot[slot] = allocators[streams[i]].allocate(byteSize);
        } else {
          Allocation handle = bySlot[slot];
          if (handle != null) {
            handle.close();
          }
        }
      }
      return i;
    } catch (AllocationException e) {
      noteRefused(chunk, i, e);
      return i + 1;
    }
  }

  private void noteRefused(Chunk chunk, int refusedRow, AllocationException e) {
    handles[chunk.slots[refusedRow]] = null;
    refused++;
    if (curves != null) {
      curves.refused(refusedRow);
    }
    if (firstRefusal == null) {
      firstRefusal =
          new ReplayReport.Refusal(
              chunk.lines[refusedRow],
              chunk.ids[refusedRow],
              chunk.byteSizes[refusedRow],
              String.valueOf(e.getMessage()));
    }
  }

  /** Replays rows one by one and has them watched; returns how many. */
  private int runWatched(Chunk chunk, Watching watcher, BooleanSupplier interrupted) {
    watcher.makeRoom(handles.length);
    for (int i = 0; i < chunk.count; i++) {
      if (interrupted.getAsBoolean()) {
        return i;
      }
      row = i;
      if (chunk.byteSizes[i] == Chunk.FREE) {
        freeWatched(chunk.slots[i], watcher);
      } else {
        allocateWatched(chunk, i, watcher);
      }
      watcher.done(chunk, i);
    }
    return chunk.count;
  }

  private void allocateWatched(Chunk chunk, int i, Watching watcher) {
    try {
      Allocation handle = managers[chunk.streams[i]].allocate(chunk.byteSizes[i]);
      handles[chunk.slots[i]] = handle;
      watcher.served(chunk, i, handle);
    } catch (AllocationException e) {
      noteRefused(chunk, i, e);
      watcher.refused();
    }
  }

  private void freeWatched(int slot, Watching watcher) {
    Allocation handle = handles[slot];
    if (handle != null) {
      watcher.leaving(slot, handle);
      handle.close();
    }
  }

  /** The trace has ended: what is live is looked at for the last time. */
  void end() {
    if (watching != null) {
      forEachLive(watching::leaving);
    }
  }

  /** What the pools of each stream did. */
  SortedMap<Integer, MemoryReport> reports() {
    SortedMap<Integer, MemoryReport> reports = new TreeMap<>();
    memory.streams().forEach((stream, manager) -> reports.put(stream, manager.report()));
    return reports;
  }

  private interface LiveVisitor {
    void visit(int slot, Allocation handle);
  }

  private void forEachLive(LiveVisitor visitor) {
    for (int slot = 0; slot < handles.length; slot++) {
      Allocation handle = handles[slot];
      if (handle != null && handle.isAlive()) {
        visitor.visit(slot, handle);
      }
    }
  }

  /**
   * What the pools did.
   *
   * @param skipped the rows that were left out
   * @param recorded what the trace tells of the recorded allocator
   * @param reports each stream's pools
   */
  ReplayReport.Figures figures(
      long skipped,
      Optional<ReplayReport.Recorded> recorded,
      SortedMap<Integer, MemoryReport> reports) {
    List<ReplayReport.PoolFigures> pools = new ArrayList<>();
    reports.forEach(
        (stream, report) ->
            report.pools().forEach(pool -> pools.add(new ReplayReport.PoolFigures(stream, pool))));
    MemoryUsage usage = memory.usage();
    return new ReplayReport.Figures(
        managers.length,
        allocations,
        frees,
        refused,
        skipped,
        usage.inUsePeak().bytes(),
        usage.reservedPeak().bytes(),
        usage.paddingPeak().bytes(),
        recorded,
        new ReplayReport.End(usage.allocations(), usage.inUse().bytes(), usage.reserved().bytes()),
        pools.stream().mapToLong(pool -> pool.report().driverAllocations()).sum(),
        pools.stream().mapToLong(pool -> pool.report().driverFrees()).sum(),
        pools.stream().mapToLong(pool -> pool.report().spills()).sum(),
        pools,
        Optional.ofNullable(firstRefusal),
        watching == null ? 0 : watching.mismatches(),
        watching == null ? Optional.empty() : watching.firstMismatch());
  }

  /** Closes what is live, and the managers. */
  @Override
  public void close() {
    forEachLive((slot, handle) -> handle.close());
    memory.close();
  }
}
