package io.cistern.storage;

import io.cistern.DeviceMemoryException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * One allocation made by a driver. Devices add their own type with the driver's object.
 *
 * <p>A block is valid until it is given back to its storage.
 */
public interface StorageBlock {

  /** The size in bytes, as it was asked for. */
  long byteSize();

  /**
   * The block's memory, on devices with {@link Feature#HOST_ACCESS}.
   *
   * @return the whole block, alive until the block is given back
   * @throws UnsupportedOperationException if the device has no host access; names the device's way
   */
  MemorySegment segment();

  /**
   * Memory of this block that ends with an arena, on devices with {@link Feature#LENDING}. The
   * block can't be given back before the arena is closed.
   *
   * @param byteOffset where in this block it begins
   * @param byteSize its size in bytes
   * @param lifetime whose scope it has
   * @throws IndexOutOfBoundsException if the bytes do not lie in this block
   * @throws UnsupportedOperationException if the device can't lend
   * @throws IllegalStateException if this block is given back, or the arena closed
   */
  default MemorySegment segment(long byteOffset, long byteSize, Arena lifetime) {
    throw new UnsupportedOperationException(this + " can't lend segments");
  }

  /**
   * The block's base address, on devices with {@link Feature#ADDRESS}.
   *
   * @throws UnsupportedOperationException if the device has no addresses; names the device's way
   */
  long address();

  /**
   * Copies bytes of this block to the host, on devices with {@link Feature#COPY}; returns when they
   * are there. Work on the device that writes these bytes must be done.
   *
   * @param byteOffset where in this block the bytes begin
   * @param target where they go; its size says how many
   * @throws IndexOutOfBoundsException if the bytes do not lie in this block
   * @throws UnsupportedOperationException if the device can't copy; names the device's way
   * @throws DeviceMemoryException if the device fails
   * @throws IllegalStateException if this block is given back
   */
  default void read(long byteOffset, MemorySegment target) {
    target.copyFrom(segment().asSlice(byteOffset, target.byteSize()));
  }

  /**
   * Copies bytes of the host to this block, on devices with {@link Feature#COPY}; returns when the
   * device has them. Work on the device that uses the bytes they replace must be done.
   *
   * @param byteOffset where in this block the bytes begin
   * @param source where they come from; its size says how many
   * @throws IndexOutOfBoundsException if the bytes do not lie in this block
   * @throws UnsupportedOperationException if the device can't copy; names the device's way
   * @throws DeviceMemoryException if the device fails
   * @throws IllegalStateException if this block is given back
   */
  default void write(long byteOffset, MemorySegment source) {
    segment().asSlice(byteOffset, source.byteSize()).copyFrom(source);
  }
}
