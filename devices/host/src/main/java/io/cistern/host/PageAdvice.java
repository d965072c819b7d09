package io.cistern.host;

/** One thing that is asked of the system for memory that was mapped just now. */
interface PageAdvice {

  /** What the base must be a multiple of for this to work, in bytes: a power of two. */
  default long pageByteSize() {
    return 1;
  }

  /**
   * Asks the system. Nobody else knows of the memory yet, and it goes back if this fails.
   *
   * @param address the base
   * @param byteSize whole pages, in bytes
   * @throws OsRefusal if it can't be had
   */
  void apply(long address, long byteSize) throws OsRefusal;
}
