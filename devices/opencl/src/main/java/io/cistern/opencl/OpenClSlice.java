package io.cistern.opencl;

import io.cistern.manager.Allocation;
import io.cistern.storage.Fence;

/**
 * An allocation as a buffer for kernels. It owns the allocation: closing it releases the buffer and
 * closes the allocation, exactly once.
 *
 * <p>The buffer is made when it is first asked for, and is a sub-buffer of the block, or the block
 * itself where the slice is the whole of it. If the manager is closed first, the buffer is released
 * with its block. Safe for many threads.
 */
public final class OpenClSlice implements AutoCloseable {

  private final Allocation allocation;
  private final BufferBlock block;

  // Guarded by this. 0: not made yet.
  private long part;
  private boolean isClosed;

  private OpenClSlice(Allocation allocation, BufferBlock block) {
    this.allocation = allocation;
    this.block = block;
  }

  /**
   * Takes over an allocation, which is not closed on its own from here on.
   *
   * @param allocation one of at least 1 byte, of an {@link OpenClStorage} with buffers
   * @throws IllegalArgumentException if it is of another device, or of shared virtual memory, whose
   *     slices are {@linkplain Allocation#address addresses}; the allocation stays the caller's
   * @throws IllegalStateException if it is closed, or has no bytes; as above
   */
  public static OpenClSlice of(Allocation allocation) {
    OpenClBlock block = allocation.block(OpenClBlock.class);
    if (!(block instanceof BufferBlock buffer)) {
      throw OpenClErrors.noBuffer(block.deviceName());
    }
    return new OpenClSlice(allocation, buffer);
  }

  /** The allocation, for its size and for {@code read} and {@code write}. */
  public Allocation allocation() {
    return allocation;
  }

  /**
   * The slice as a {@code cl_mem} of {@link Allocation#byteSize} bytes; the same one at each call.
   *
   * @throws IllegalStateException if this slice or its manager is closed
   * @throws io.cistern.DeviceMemoryException if the driver fails
   */
  public synchronized long mem() {
    if (isClosed) {
      throw OpenClErrors.sliceClosed();
    }
    long byteSize = allocation.byteSize();
    if (byteSize == block.byteSize()) {
      return block.mem();
    }
    if (part == 0) {
      part = block.makePart(allocation.byteOffset(), byteSize);
    }
    return part;
  }

  /**
   * Says that device work uses the slice until a fence has passed; see {@link
   * Allocation#usedUntil}.
   *
   * @throws IllegalStateException if this slice or its manager is closed
   */
  public void usedUntil(Fence fence) {
    allocation.usedUntil(fence);
  }

  /**
   * Releases the buffer and closes the allocation.
   *
   * @throws IllegalStateException if this slice is closed already
   */
  @Override
  public synchronized void close() {
    if (isClosed) {
      throw OpenClErrors.sliceClosed();
    }
    isClosed = true;
    if (part != 0) {
      block.releasePart(part);
    }
    allocation.close();
  }
}
