package io.cistern.stress;

import io.cistern.testkit.Patterns;
import java.lang.foreign.MemorySegment;

/** Bytes that nobody else may write, and whose memory stays while its manager is open. */
record Written(Target target, MemorySegment segment, long pattern) {

  void verify() {
    try {
      Patterns.verify(segment, pattern);
    } catch (IllegalStateException gone) {
      target.requireClosed(gone);
    }
  }
}
