package io.cistern.storage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Lets drivers copy from and to any segment, though they know addresses alone: what is on the Java
 * heap is taken in pieces through a buffer. For devices. Safe for many threads.
 */
public final class HostBytes {

  private static final long PIECE_BYTE_SIZE = 1L << 20;

  private HostBytes() {}

  /** A driver's copy of one piece. */
  public interface Copy {

    /**
     * Copies, and has done so when it returns.
     *
     * @param byteOffset where in the whole the piece begins, in bytes
     * @param piece memory off the heap
     */
    void run(long byteOffset, MemorySegment piece);
  }

  /**
   * Has a driver copy from the host.
   *
   * @param source the bytes
   * @param copy reads each piece
   */
  public static void from(MemorySegment source, Copy copy) {
    if (source.isNative()) {
      copy.run(0, source);
    } else {
      inPieces(
          source, (offset, piece) -> copy.run(offset, piece.copyFrom(part(source, offset, piece))));
    }
  }

  /**
   * Has a driver copy to the host.
   *
   * @param target where the bytes go
   * @param copy writes all of each piece
   */
  public static void to(MemorySegment target, Copy copy) {
    if (target.isNative()) {
      copy.run(0, target);
    } else {
      inPieces(
          target,
          (offset, piece) -> {
            copy.run(offset, piece);
            part(target, offset, piece).copyFrom(piece);
          });
    }
  }

  private static void inPieces(MemorySegment whole, Copy copy) {
    long byteSize = whole.byteSize();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(Math.min(PIECE_BYTE_SIZE, byteSize));
      for (long done = 0; done < byteSize; done += PIECE_BYTE_SIZE) {
        copy.run(done, buffer.asSlice(0, Math.min(PIECE_BYTE_SIZE, byteSize - done)));
      }
    }
  }

  private static MemorySegment part(MemorySegment whole, long byteOffset, MemorySegment piece) {
    return whole.asSlice(byteOffset, piece.byteSize());
  }
}
