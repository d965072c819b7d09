package io.cistern.testkit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.OptionalLong;

/**
 * Bytes that tell whose they are: each seed has a pattern of its own, which differs from that of
 * any other seed at nearly every byte, so that a slice that was written through another shows.
 *
 * <p>O(size). Stateless; safe for many threads on segments of their own.
 */
public final class Patterns {

  // Fixed order, so that a pattern is the same bytes on every machine.
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Patterns() {}

  /**
   * Fills a segment with a seed's pattern.
   *
   * @param segment all of it is written
   * @param seed whose pattern
   */
  public static void write(MemorySegment segment, long seed) {
    long words = segment.byteSize() / Long.BYTES;
    for (long word = 0; word < words; word++) {
      segment.set(WORD, word * Long.BYTES, word(seed, word));
    }
    for (long at = words * Long.BYTES; at < segment.byteSize(); at++) {
      segment.set(ValueLayout.JAVA_BYTE, at, byteAt(seed, at));
    }
  }

  /**
   * Looks for a byte that is not as {@link #write} left it.
   *
   * @param segment all of it is read
   * @param seed whose pattern is expected
   * @return the offset in bytes of the first byte that differs; empty if none does
   */
  public static OptionalLong firstMismatch(MemorySegment segment, long seed) {
    long words = segment.byteSize() / Long.BYTES;
    long word = 0;
    while (word < words && segment.get(WORD, word * Long.BYTES) == word(seed, word)) {
      word++;
    }
    for (long at = word * Long.BYTES; at < segment.byteSize(); at++) {
      if (segment.get(ValueLayout.JAVA_BYTE, at) != byteAt(seed, at)) {
        return OptionalLong.of(at);
      }
    }
    return OptionalLong.empty();
  }

  /**
   * Checks that a segment is as {@link #write} left it.
   *
   * @param segment all of it is read
   * @param seed whose pattern is expected
   * @throws AssertionError if a byte differs; says which
   */
  public static void verify(MemorySegment segment, long seed) {
    OptionalLong mismatch = firstMismatch(segment, seed);
    if (mismatch.isPresent()) {
      throw new AssertionError(
          "byte "
              + mismatch.getAsLong()
              + " of "
              + segment.byteSize()
              + " is not of pattern "
              + seed);
    }
  }

  private static byte byteAt(long seed, long at) {
    return (byte) (word(seed, at / Long.BYTES) >>> (Byte.SIZE * (at % Long.BYTES)));
  }

  /**
   * The finaliser of SplitMix64 over a counter: every bit of seed and place changes half of all.
   */
  private static long word(long seed, long index) {
    long z = seed * 0xd1342543de82ef95L + index * 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
