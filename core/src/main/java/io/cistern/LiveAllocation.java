package io.cistern;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * An allocation that is live, for reports and errors.
 *
 * @param byteSize the size that was asked for, in bytes
 * @param pool the pool that served it, by its index in routing order; -1 is the persistent pool
 * @param tag what its request was tagged with, if it was
 * @param place where it was asked for, if the manager tracks places
 */
public record LiveAllocation(
    long byteSize, int pool, @Nullable String tag, @Nullable StackTraceElement place)
    implements Serializable {

  @Override
  public String toString() {
    return byteSize
        + " bytes in pool "
        + pool
        + (tag == null ? "" : ", \"" + tag + "\"")
        + (place == null ? "" : ", at " + place);
  }
}
