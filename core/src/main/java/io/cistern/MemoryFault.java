package io.cistern;

import java.util.Optional;

/**
 * Bytes that were written by somebody who does not own them.
 *
 * @param kind what was wrong
 * @param block the driver's block that they are in, in words
 * @param byteOffset where in the block the first changed byte is
 * @param byteSize how many bytes from the first changed one to the last
 * @param owner the allocation that the bytes belonged to: the one that was written beyond its end,
 *     or that had been there last; empty if nothing had
 */
public record MemoryFault(
    Kind kind, String block, long byteOffset, long byteSize, Optional<LiveAllocation> owner) {

  /** What was wrong. */
  public enum Kind {
    /** Free bytes were written: by somebody who had closed them, or beyond a neighbour's end. */
    LATE_WRITE,
    /** Bytes behind the end of an allocation were written. */
    OVERRUN
  }

  @Override
  public String toString() {
    String what =
        switch (kind) {
          case LATE_WRITE ->
              "free bytes were written"
                  + owner.map(last -> "; their last owner was " + last).orElse("");
          case OVERRUN ->
              "bytes behind the end of an allocation were written"
                  + owner.map(one -> ": " + one).orElse("");
        };
    return what + "; " + byteSize + " bytes from offset " + byteOffset + " of " + block;
  }
}
