package io.cistern.storage;

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
   * The block's base address, on devices with {@link Feature#ADDRESS}.
   *
   * @throws UnsupportedOperationException if the device has no addresses; names the device's way
   */
  long address();
}
