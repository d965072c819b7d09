package io.cistern.host;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory as the JDK gives it, on any system: every block is zeroed, and so touched, when it is
 * made, which costs about 2 ms for 64 MiB at best and real memory at once.
 */
final class ArenaPages implements PageSource {

  /** The page of most systems; the JDK aligns to whatever it is asked for. */
  private static final long PAGE_BYTE_SIZE = 4096;

  @Override
  public long pageByteSize() {
    return PAGE_BYTE_SIZE;
  }

  @Override
  public MemorySegment reserve(long byteSize, long byteAlignment, Arena arena) throws OsRefusal {
    long alignment = Math.max(byteAlignment, PAGE_BYTE_SIZE);
    if (byteSize > Long.MAX_VALUE - alignment) {
      throw new OsRefusal(byteSize + " bytes at " + alignment + " leave the address space");
    }
    try {
      return arena.allocate(byteSize, alignment);
    } catch (OutOfMemoryError e) {
      throw new OsRefusal("the JDK can't allocate " + byteSize + " bytes", e);
    }
  }

  /** Nothing is left to do: the arena's close gave the memory back. */
  @Override
  public void giveBack(long address, long byteSize) {}
}
