package io.cistern.host;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Makes memory real at once: by one call where the system has it, else by a write to each page. */
final class TouchedMemory implements PageAdvice {

  private final long stepByteSize;

  TouchedMemory(long pageByteSize) {
    stepByteSize = pageByteSize;
  }

  /** The way that this system has, for pages of its own size. */
  static PageAdvice of(HostSystem system, long pageByteSize) {
    if (system.isLinux()) {
      MemoryAdvice advice = new MemoryAdvice();
      if (advice.canPopulate()) {
        return advice::populate;
      }
    }
    return new TouchedMemory(pageByteSize);
  }

  /** Writes what is there already: fresh memory reads as zero. */
  @Override
  @SuppressWarnings("restricted") // The range was mapped just now, and nobody else knows of it.
  public void apply(long address, long byteSize) {
    MemorySegment memory = MemorySegment.ofAddress(address).reinterpret(byteSize);
    for (long offset = 0; offset < byteSize; offset += stepByteSize) {
      memory.set(ValueLayout.JAVA_BYTE, offset, (byte) 0);
    }
  }
}
