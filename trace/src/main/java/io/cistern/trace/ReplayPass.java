package io.cistern.trace;

import io.cistern.AllocationException;
import io.cistern.MemoryUsage;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.Allocation;
import io.cistern.manager.DeviceMemory;
import io.cistern.manager.MemoryManager;
import io.cistern.manager.MemoryReport.PoolReport;
import io.cistern.storage.Storage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
  private final @Nullable Touching touching;

  // By stream index and by slot. A handle stays in its slot after its close, until the next use; a
  // slot whose allocation was refused has none.
  private MemoryManager[] managers = new MemoryManager[0];
  private @Nullable Allocation[] handles = new Allocation[1024];

  private long allocations;
  private long frees;
  private long refused;
  private long nanos;
  private ReplayReport.@Nullable Refusal firstRefusal;

  ReplayPass(Storage storage, MemoryPoolsConfig pools, boolean touch) {
    this.memory = DeviceMemory.open(storage, pools);
    this.touching = touch ? new Touching() : null;
  }

  /** The rows replayed so far. */
  long operations() {
    return allocations + frees;
  }

  /** The time so far, in nanoseconds. */
  long nanos() {
    return nanos;
  }

  /** Replays a chunk, up to where a touched replay is interrupted. */
  void run(Chunk chunk, ChunkDecoder decoder, BooleanSupplier interrupted) {
    prepare(decoder);
    int count = chunk.count;
    long start = System.nanoTime();
    if (touching == null) {
      runPlain(chunk);
    } else {
      count = runTouched(chunk, touching, interrupted);
    }
    nanos += System.nanoTime() - start;
    for (int i = 0; i < count; i++) {
      if (chunk.byteSizes[i] == Chunk.FREE) {
        frees++;
      } else {
        allocations++;
      }
    }
  }

  /** Opens managers and makes room, so that the loop need not ask. */
  private void prepare(ChunkDecoder decoder) {
    if (managers.length < decoder.streamIndices().size()) {
      managers = Arrays.copyOf(managers, decoder.streamIndices().size());
      decoder.streamIndices().forEach((stream, index) -> managers[index] = memory.stream(stream));
    }
    if (handles.length < decoder.live().slots()) {
      handles = Arrays.copyOf(handles, Math.max(2 * handles.length, decoder.live().slots()));
    }
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

  private void noteRefused(Chunk chunk, int row, AllocationException e) {
    handles[chunk.slots[row]] = null;
    refused++;
    if (firstRefusal == null) {
      firstRefusal =
          new ReplayReport.Refusal(
              chunk.lines[row],
              chunk.ids[row],
              chunk.byteSizes[row],
              String.valueOf(e.getMessage()));
    }
  }

  /** Replays rows one by one with their touching; returns how many. */
  private int runTouched(Chunk chunk, Touching touch, BooleanSupplier interrupted) {
    touch.makeRoom(handles.length);
    for (int i = 0; i < chunk.count; i++) {
      if (interrupted.getAsBoolean()) {
        return i;
      }
      if (chunk.byteSizes[i] == Chunk.FREE) {
        freeTouched(chunk.slots[i], touch);
      } else {
        allocateTouched(chunk, i, touch);
      }
    }
    return chunk.count;
  }

  private void allocateTouched(Chunk chunk, int row, Touching touch) {
    int slot = chunk.slots[row];
    try {
      Allocation handle = managers[chunk.streams[row]].allocate(chunk.byteSizes[row]);
      handles[slot] = handle;
      touch.mark(slot, handle, chunk.ids[row], chunk.lines[row]);
    } catch (AllocationException e) {
      noteRefused(chunk, row, e);
    }
  }

  private void freeTouched(int slot, Touching touch) {
    Allocation handle = handles[slot];
    if (handle != null) {
      touch.verify(slot, handle);
      handle.close();
    }
  }

  /** Ends the pass: verifies what is live, and takes the figures. */
  ReplayReport.Figures end(long skipped) {
    if (touching != null) {
      forEachLive(touching::verify);
    }
    return figures(skipped);
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

  private ReplayReport.Figures figures(long skipped) {
    List<ReplayReport.PoolFigures> pools = new ArrayList<>();
    memory
        .streams()
        .forEach(
            (stream, manager) -> {
              for (PoolReport pool : manager.report().pools()) {
                pools.add(new ReplayReport.PoolFigures(stream, pool));
              }
            });
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
        new ReplayReport.End(usage.allocations(), usage.inUse().bytes(), usage.reserved().bytes()),
        pools.stream().mapToLong(pool -> pool.report().driverAllocations()).sum(),
        pools.stream().mapToLong(pool -> pool.report().driverFrees()).sum(),
        pools.stream().mapToLong(pool -> pool.report().spills()).sum(),
        pools,
        Optional.ofNullable(firstRefusal),
        touching == null ? 0 : touching.mismatches(),
        touching == null ? Optional.empty() : touching.firstMismatch());
  }

  /** Closes what is live, and the managers. */
  @Override
  public void close() {
    forEachLive((slot, handle) -> handle.close());
    memory.close();
  }
}
