package io.cistern.trace.table;

/** How much memory readers may fill that must hold a whole recording: half of the Java heap. */
public final class HeapBound {

  private HeapBound() {}

  /** The bound in bytes. */
  public static long byteSize() {
    return Runtime.getRuntime().maxMemory() / 2;
  }

  /** Why a recording can't be read that needs more. */
  public static String why(long boundByteSize) {
    return "the recording needs more than "
        + (boundByteSize >> 20)
        + " MiB at once, half of the Java heap; -Xmx gives more";
  }
}
