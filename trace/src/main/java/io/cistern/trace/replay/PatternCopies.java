package io.cistern.trace.replay;

import io.cistern.manager.Allocation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Marks slices that the host can't see with their {@link SlicePattern}, copied from a buffer. */
final class PatternCopies {

  /** Whole words of the pattern, so that it goes on from one copy to the next. */
  private static final long BUFFER_BYTE_SIZE = 1 << 18;

  // Off the heap, as drivers copy only from there.
  private final MemorySegment buffer = Arena.ofAuto().allocate(BUFFER_BYTE_SIZE, Long.BYTES);

  void fill(Allocation slice, long id) {
    long byteSize = slice.byteSize();
    SlicePattern.fill(part(byteSize), id);
    for (long done = 0; done < byteSize; done += BUFFER_BYTE_SIZE) {
      slice.write(done, part(byteSize - done));
    }
  }

  /** Where the pattern is broken first, in bytes; -1 if it is whole. */
  long mismatch(Allocation slice, long id) {
    long byteSize = slice.byteSize();
    for (long done = 0; done < byteSize; done += BUFFER_BYTE_SIZE) {
      MemorySegment part = part(byteSize - done);
      slice.read(done, part);
      long at = SlicePattern.mismatch(part, id);
      if (at >= 0) {
        return done + at;
      }
    }
    return -1;
  }

  private MemorySegment part(long byteSize) {
    return buffer.asSlice(0, Math.min(byteSize, BUFFER_BYTE_SIZE));
  }
}
