package io.cistern.gpu;

import io.cistern.DeviceMemoryException;
import io.cistern.storage.Feature;
import io.cistern.storage.StorageBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A block of a CUDA or HIP device's memory, or of host memory that such a device uses.
 *
 * <p>Made by {@link GpuStorage#allocate}; safe for many threads. {@link #read} and {@link #write}
 * wait for nothing but themselves: work that was queued on a stream and uses the same bytes is to
 * be done before.
 */
public final class GpuBlock implements StorageBlock {

  private final GpuStorage storage;
  private final long address;
  private final long byteSize;

  // Guarded by this. Both are there or neither; the segment's scope is the arena's.
  private @Nullable Arena arena;
  private @Nullable MemorySegment segment;
  private boolean givenBack;

  GpuBlock(GpuStorage storage, long address, long byteSize) {
    this.storage = storage;
    this.address = address;
    this.byteSize = byteSize;
    if (storage.properties().has(Feature.HOST_ACCESS)) {
      newScope();
    }
  }

  /** The range is the block's: the driver gave it. The give-back closes the arena. */
  @SuppressWarnings({"restricted", "MustBeClosedChecker"})
  private void newScope() {
    Arena scope = Arena.ofShared();
    arena = scope;
    segment = MemorySegment.ofAddress(address).reinterpret(byteSize, scope, null);
  }

  @Override
  public long byteSize() {
    return byteSize;
  }

  /** The block's address, for kernels and for calls of the driver. */
  @Override
  public long address() {
    return address;
  }

  /**
   * The block's memory, if it is pinned, or managed on a device that shares it with the host at all
   * times; its content is undefined at first.
   *
   * @return the whole block, for all threads; after the give-back a segment whose access throws
   *     {@link IllegalStateException}
   * @throws UnsupportedOperationException if the host has no access; names the ways there are
   */
  @Override
  public synchronized MemorySegment segment() {
    if (segment == null) {
      throw GpuErrors.noHostAccess(storage.properties().name());
    }
    return segment;
  }

  @Override
  public synchronized void read(long byteOffset, MemorySegment target) {
    Objects.checkFromIndexSize(byteOffset, target.byteSize(), byteSize);
    checkOut();
    if (segment != null) {
      target.copyFrom(segment.asSlice(byteOffset, target.byteSize()));
    } else {
      storage.copies().read(address + byteOffset, target);
    }
  }

  @Override
  public synchronized void write(long byteOffset, MemorySegment source) {
    Objects.checkFromIndexSize(byteOffset, source.byteSize(), byteSize);
    checkOut();
    if (segment != null) {
      segment.asSlice(byteOffset, source.byteSize()).copyFrom(source);
    } else {
      storage.copies().write(address + byteOffset, source);
    }
  }

  private void checkOut() {
    if (givenBack) {
      throw GpuErrors.givenBack(this);
    }
  }

  GpuStorage storage() {
    return storage;
  }

  /**
   * Ends the scope, then gives the memory back.
   *
   * @throws DeviceMemoryException if the host uses it just now, or the driver refuses; this block
   *     is as valid as before
   */
  synchronized void giveBack(BlockSource source) {
    if (arena != null) {
      try {
        arena.close();
      } catch (IllegalStateException e) {
        throw GpuErrors.inAccess(this, e);
      }
    }
    try {
      source.giveBack(address, byteSize);
    } catch (DeviceMemoryException e) {
      if (arena != null) {
        // A scope ends for good, so memory that stays gets another.
        newScope();
      }
      throw e;
    }
    givenBack = true;
  }

  @Override
  public String toString() {
    return storage.kind() + " block of " + byteSize + " bytes at 0x" + Long.toHexString(address);
  }
}
