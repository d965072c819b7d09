package io.cistern;

import java.io.Serializable;
import java.util.List;

/**
 * Watched handles that are open, and were made by the same calls.
 *
 * @param calls the stack frames that asked for them, innermost first
 * @param handles how many there are
 * @param byteSize the sum of their requested sizes, in bytes
 * @param unreachable how many of them nobody can close any more; their memory is not used again
 */
public record LeakSite(List<String> calls, long handles, long byteSize, long unreachable)
    implements Serializable {

  /** Makes the site; the list is copied. */
  public LeakSite {
    calls = List.copyOf(calls);
  }

  @Override
  public String toString() {
    return handles
        + (handles == 1 ? " handle of " : " handles of ")
        + byteSize
        + " bytes"
        + (unreachable == 0 ? "" : ", " + unreachable + " unreachable")
        + ", made at\n    "
        + String.join("\n    ", calls);
  }
}
