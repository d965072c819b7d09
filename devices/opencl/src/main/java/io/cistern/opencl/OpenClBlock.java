package io.cistern.opencl;

import io.cistern.DeviceMemoryException;
import io.cistern.storage.HostBytes;
import io.cistern.storage.StorageBlock;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A block of an OpenCL device: a buffer, or shared virtual memory. Safe for many threads; copies of
 * one block are made one at a time.
 */
public abstract sealed class OpenClBlock implements StorageBlock permits BufferBlock, SharedBlock {

  private final OpenClStorage storage;
  private final long byteSize;

  // Guarded by this.
  private boolean isGivenBack;

  OpenClBlock(OpenClStorage storage, long byteSize) {
    this.storage = storage;
    this.byteSize = byteSize;
  }

  @Override
  public final long byteSize() {
    return byteSize;
  }

  /** The storage that it belongs to. */
  public final OpenClStorage storage() {
    return storage;
  }

  /**
   * The whole block as a {@code cl_mem}, where the storage has buffers.
   *
   * @throws IllegalArgumentException if it has shared virtual memory instead
   * @throws IllegalStateException if this block is given back
   */
  public abstract long mem();

  @Override
  public final synchronized void read(long byteOffset, MemorySegment target) {
    checkCopy(byteOffset, target.byteSize());
    if (target.byteSize() > 0) {
      HostBytes.to(target, (at, host) -> readNow(byteOffset + at, host));
    }
  }

  @Override
  public final synchronized void write(long byteOffset, MemorySegment source) {
    checkCopy(byteOffset, source.byteSize());
    if (source.byteSize() > 0) {
      HostBytes.from(source, (at, host) -> writeNow(byteOffset + at, host));
    }
  }

  private void checkCopy(long byteOffset, long count) {
    checkHeld();
    Objects.checkFromIndexSize(byteOffset, count, byteSize);
  }

  /** Reads within the block, into memory off the heap. */
  abstract void readNow(long byteOffset, MemorySegment host);

  /** Writes within the block, from memory off the heap. */
  abstract void writeNow(long byteOffset, MemorySegment host);

  /**
   * Gives the memory back, and with it what is made of it.
   *
   * @throws DeviceMemoryException if the driver refuses; the block is as valid as before
   */
  final synchronized void giveBack() {
    release();
    isGivenBack = true;
  }

  /** Has the driver release the memory. Under this. */
  abstract void release();

  /** Refuses a block that was given back. Under this. */
  final void checkHeld() {
    if (isGivenBack) {
      throw OpenClErrors.givenBack(this);
    }
  }

  final String deviceName() {
    return storage.properties().name();
  }

  /** Refuses a copy that failed. */
  final void checkCopied(String call, MemorySegment host, int code) {
    if (code != 0) {
      throw OpenClErrors.refused(deviceName(), call, host.byteSize(), code);
    }
  }

  @Override
  public String toString() {
    return "OpenCL block of " + byteSize + " bytes";
  }
}
