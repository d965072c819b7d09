package io.cistern.safety;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Looks for bytes that are not what they were filled with. */
final class Bytes {

  private Bytes() {}

  /** The first byte that is not as filled; -1 if there is none. At the speed of a copy. */
  static long firstChanged(MemorySegment bytes, byte filled) {
    long byteSize = bytes.byteSize();
    if (byteSize == 0) {
      return -1;
    }
    if (at(bytes, 0) != filled) {
      return 0;
    }
    // Equal to itself a byte further on: all bytes are as the first.
    long same = bytes.asSlice(0, byteSize - 1).mismatch(bytes.asSlice(1));
    return same < 0 ? -1 : same + 1;
  }

  /** The last byte that is not as filled, which there is. */
  static long lastChanged(MemorySegment bytes, byte filled) {
    long last = bytes.byteSize() - 1;
    while (at(bytes, last) == filled) {
      last--;
    }
    return last;
  }

  private static byte at(MemorySegment bytes, long offset) {
    return bytes.get(ValueLayout.JAVA_BYTE, offset);
  }
}
