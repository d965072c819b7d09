package io.cistern;

/** No pool of the layout accepts a request of this size. */
public final class SizeNotAcceptedException extends AllocationException {
  private static final long serialVersionUID = 1L;

  private final long largestByteSize;

  /**
   * Says what was asked and what would have been accepted.
   *
   * @param requestedByteSize the request in bytes
   * @param largestByteSize the largest request that a pool accepts, in bytes
   */
  public SizeNotAcceptedException(long requestedByteSize, long largestByteSize) {
    super(
        "no pool accepts a request of "
            + requestedByteSize
            + " bytes; the largest that one accepts is "
            + largestByteSize
            + " bytes",
        requestedByteSize);
    this.largestByteSize = largestByteSize;
  }

  /** The largest request that a pool of the layout accepts, in bytes. */
  public long largestByteSize() {
    return largestByteSize;
  }
}
