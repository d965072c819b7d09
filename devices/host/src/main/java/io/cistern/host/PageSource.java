package io.cistern.host;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Where the host's blocks come from: the operating system, or the JDK where that is not known. */
interface PageSource {

  /** The source for the system that this runs on. */
  static PageSource ofSystem() {
    return PageSources.of(HostMemoryOptions.DEFAULT, HostSystem.current());
  }

  /** What every block's base is a multiple of at least, in bytes: a power of two. */
  long pageByteSize();

  /**
   * Takes memory.
   *
   * @param byteSize the size in bytes, above 0
   * @param byteAlignment what the base is to be a multiple of, in bytes: a power of two
   * @param arena whose scope the segment gets
   * @throws OsRefusal if the memory can't be had; nothing changed
   */
  MemorySegment reserve(long byteSize, long byteAlignment, Arena arena) throws OsRefusal;

  /**
   * Gives memory back whose arena has been closed.
   *
   * @param address the base
   * @param byteSize the size in bytes, as it was asked for
   * @throws OsRefusal if the system did not take it; the memory is still there
   */
  void giveBack(long address, long byteSize) throws OsRefusal;
}
