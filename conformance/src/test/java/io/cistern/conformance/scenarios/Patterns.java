package io.cistern.conformance.scenarios;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Regions that are filled with one byte value. */
final class Patterns {

  private Patterns() {}

  static void verify(String what, MemorySegment segment, byte pattern) {
    for (long i = 0; i < segment.byteSize(); i++) {
      if (segment.get(ValueLayout.JAVA_BYTE, i) != pattern) {
        throw new AssertionError(what + " has lost its pattern at byte " + i);
      }
    }
  }
}
