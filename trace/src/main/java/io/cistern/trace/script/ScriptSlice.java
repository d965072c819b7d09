package io.cistern.trace.script;

import java.util.ArrayList;
import java.util.List;

/** A slice as a script's own bookkeeping sees it. */
final class ScriptSlice {

  final String name;
  final long byteSize;
  final List<ScriptFence> fences = new ArrayList<>();
  int handles = 1;

  /** Where it lies; 0 as long as nobody has asked. */
  long address;

  ScriptSlice(String name, long byteSize) {
    this.name = name;
    this.byteSize = byteSize;
  }

  /** Whether its memory may be somebody else's from now on. */
  boolean mayBeUsedAgain() {
    return handles == 0 && fences.stream().allMatch(ScriptFence::hasPassed);
  }
}
