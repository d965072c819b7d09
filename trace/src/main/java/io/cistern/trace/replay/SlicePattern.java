package io.cistern.trace.replay;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Marks memory with a pattern that tells whose it is: eight bytes made from an id, over and over.
 *
 * <p>Different ids have different patterns, so slices that overlap show it wherever they share as
 * much as eight bytes. Both ways work with the bulk operations of the platform: a mark doubles what
 * is there, and a check compares the memory with itself, eight bytes on.
 */
final class SlicePattern {

  private static final int WORD_BYTE_SIZE = Long.BYTES;

  /** Copies that stay in the nearest cache are fastest. */
  private static final long RUN_BYTE_SIZE = 1 << 14;

  private SlicePattern() {}

  static void fill(MemorySegment segment, long id) {
    long word = Mixing.mix(id);
    long byteSize = segment.byteSize();
    long head = Math.min(byteSize, WORD_BYTE_SIZE);
    for (int i = 0; i < head; i++) {
      segment.set(ValueLayout.JAVA_BYTE, i, byteAt(word, i));
    }
    for (long done = head; done < byteSize; ) {
      // What is copied is whole words, until the last copy.
      long run = Math.min(Math.min(done, RUN_BYTE_SIZE), byteSize - done);
      MemorySegment.copy(segment, 0, segment, done, run);
      done += run;
    }
  }

  /** Where the pattern is broken first, in bytes; -1 if it is whole. */
  static long mismatch(MemorySegment segment, long id) {
    long word = Mixing.mix(id);
    long byteSize = segment.byteSize();
    long head = Math.min(byteSize, WORD_BYTE_SIZE);
    for (int i = 0; i < head; i++) {
      if (segment.get(ValueLayout.JAVA_BYTE, i) != byteAt(word, i)) {
        return i;
      }
    }
    long rest = byteSize - head;
    long at = MemorySegment.mismatch(segment, 0, rest, segment, head, byteSize);
    return at < 0 ? -1 : at + head;
  }

  private static byte byteAt(long word, int index) {
    return (byte) (word >>> (Byte.SIZE * index));
  }
}
