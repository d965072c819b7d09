package io.cistern.stress;

import io.cistern.manager.Allocation;
import org.jspecify.annotations.Nullable;

/** An open handle, with what is written in its memory; null if nothing is. */
record Holding(Target target, Allocation allocation, @Nullable Written written) {

  void verify() {
    if (written != null) {
      written.verify();
    }
  }
}
