package io.cistern.trace.table;

/**
 * How much memory a reader may fill that must hold a whole recording: half of the Java heap, for
 * all that it holds together. Not safe for many threads.
 */
public final class HeapBudget {

  private final long boundByteSize;
  private long usedByteSize;

  /** Half of the Java heap. */
  public HeapBudget() {
    this(Runtime.getRuntime().maxMemory() / 2);
  }

  /** So many bytes. */
  public HeapBudget(long boundByteSize) {
    this.boundByteSize = boundByteSize;
  }

  /** The bytes that there were at first. */
  public long boundByteSize() {
    return boundByteSize;
  }

  /** Takes memory; false, and nothing taken, if so much is not left. */
  public boolean take(long byteSize) {
    if (byteSize > boundByteSize - usedByteSize) {
      return false;
    }
    usedByteSize += byteSize;
    return true;
  }

  /** Gives back what was taken. */
  public void giveBack(long byteSize) {
    usedByteSize -= byteSize;
  }

  /** Why a recording can't be read that needs more. */
  public String why() {
    return "the recording needs more than "
        + (boundByteSize >> 20)
        + " MiB at once, half of the Java heap; -Xmx gives more";
  }
}
