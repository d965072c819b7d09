package io.cistern;

import java.io.Serializable;

/**
 * An allocation that is live, for reports and errors.
 *
 * @param byteSize the size that was asked for, in bytes
 * @param pool the pool that served it, by its index in routing order; -1 is the persistent pool
 * @param tag what its request was tagged with; empty if it was not
 * @param place the stack frame that asked for it; empty if the manager does not track places
 */
public record LiveAllocation(long byteSize, int pool, String tag, String place)
    implements Serializable {

  @Override
  public String toString() {
    return byteSize
        + " bytes in pool "
        + pool
        + (tag.isEmpty() ? "" : ", \"" + tag + "\"")
        + (place.isEmpty() ? "" : ", at " + place);
  }
}
