package io.cistern.storage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * Lets drivers copy from and to any segment, though they know addresses alone: what is on the Java
 * heap is taken through a buffer. For devices. Safe for many threads.
 */
public final class HostBytes {

  private HostBytes() {}

  /**
   * Has a driver read from the host.
   *
   * @param source the bytes
   * @param read is given them off the heap, and has read them when it returns
   */
  public static void from(MemorySegment source, Consumer<MemorySegment> read) {
    if (source.isNative()) {
      read.accept(source);
    } else {
      try (Arena buffer = Arena.ofConfined()) {
        read.accept(buffer.allocate(source.byteSize()).copyFrom(source));
      }
    }
  }

  /**
   * Has a driver write to the host.
   *
   * @param target where the bytes go
   * @param write is given as much memory off the heap, and has written all of it when it returns
   */
  public static void to(MemorySegment target, Consumer<MemorySegment> write) {
    if (target.isNative()) {
      write.accept(target);
    } else {
      try (Arena buffer = Arena.ofConfined()) {
        MemorySegment copy = buffer.allocate(target.byteSize());
        write.accept(copy);
        target.copyFrom(copy);
      }
    }
  }
}
