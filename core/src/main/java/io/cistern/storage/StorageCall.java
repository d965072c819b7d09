package io.cistern.storage;

/**
 * One call on a storage, as adaptors see it.
 *
 * @param kind what was called
 * @param number the call's number among all calls on that adaptor, from 1
 * @param byteSize the size in bytes that was asked for, or of the block given back
 */
public record StorageCall(Kind kind, long number, long byteSize) {

  /** What was called. */
  public enum Kind {
    /** {@link Storage#allocate}. */
    ALLOCATE,
    /** {@link Storage#free}. */
    FREE
  }
}
