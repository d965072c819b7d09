package io.cistern.trace.replay;

import io.cistern.manager.Allocation;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Feature;
import io.cistern.trace.report.ReplayReport;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes each slice's own pattern and finds the slices that somebody else wrote to. */
final class Touching implements Watching {

  // By slot: whose pattern is there.
  private long[] ids = new long[0];
  private long[] lines = new long[0];

  // Null: the host sees the memory.
  private @Nullable PatternCopies copies;

  private long mismatches;
  private ReplayReport.@Nullable Mismatch firstMismatch;

  /**
   * Finds out how slices can be written.
   *
   * @throws UnsupportedOperationException if they can't be
   */
  @Override
  public void begins(DeviceProperties device) {
    if (!device.has(Feature.COPY)) {
      throw new UnsupportedOperationException(
          "slices can't be touched: no bytes can be copied to device \"" + device.name() + "\"");
    }
    copies = device.has(Feature.HOST_ACCESS) ? null : new PatternCopies();
  }

  @Override
  public void makeRoom(int slots) {
    if (ids.length < slots) {
      ids = Arrays.copyOf(ids, slots);
      lines = Arrays.copyOf(lines, slots);
    }
  }

  /** Writes a new slice. */
  @Override
  public void served(Chunk chunk, int row, Allocation handle) {
    int slot = chunk.slots[row];
    ids[slot] = chunk.ids[row];
    lines[slot] = chunk.lines[row];
    if (copies == null) {
      SlicePattern.fill(handle.segment(), ids[slot]);
    } else {
      copies.fill(handle, ids[slot]);
    }
  }

  /** Looks whether a slice is as it was written. */
  @Override
  public void leaving(int slot, Allocation handle) {
    long byteOffset =
        copies == null
            ? SlicePattern.mismatch(handle.segment(), ids[slot])
            : copies.mismatch(handle, ids[slot]);
    if (byteOffset >= 0) {
      mismatches++;
      if (firstMismatch == null) {
        firstMismatch =
            new ReplayReport.Mismatch(lines[slot], ids[slot], handle.byteSize(), byteOffset);
      }
    }
  }

  @Override
  public long mismatches() {
    return mismatches;
  }

  @Override
  public Optional<ReplayReport.Mismatch> firstMismatch() {
    return Optional.ofNullable(firstMismatch);
  }
}
