package io.cistern.trace;

import io.cistern.manager.Allocation;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes each slice's own pattern and finds the slices that somebody else wrote to. */
final class Touching {

  // By slot: whose pattern is there.
  private long[] ids = new long[0];
  private long[] lines = new long[0];

  private long mismatches;
  private ReplayReport.@Nullable Mismatch firstMismatch;

  /** Makes room for slots from 0 to below a number. */
  void makeRoom(int slots) {
    if (ids.length < slots) {
      ids = Arrays.copyOf(ids, slots);
      lines = Arrays.copyOf(lines, slots);
    }
  }

  /** Writes a new slice. */
  void mark(int slot, Allocation handle, long id, long line) {
    ids[slot] = id;
    lines[slot] = line;
    SlicePattern.fill(handle.segment(), id);
  }

  /** Looks whether a slice is as it was written. */
  void verify(int slot, Allocation handle) {
    long byteOffset = SlicePattern.mismatch(handle.segment(), ids[slot]);
    if (byteOffset >= 0) {
      mismatches++;
      if (firstMismatch == null) {
        firstMismatch =
            new ReplayReport.Mismatch(lines[slot], ids[slot], handle.byteSize(), byteOffset);
      }
    }
  }

  /** The slices that were not as they were written. */
  long mismatches() {
    return mismatches;
  }

  /** The first of them. */
  Optional<ReplayReport.Mismatch> firstMismatch() {
    return Optional.ofNullable(firstMismatch);
  }
}
