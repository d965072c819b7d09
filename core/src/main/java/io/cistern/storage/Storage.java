package io.cistern.storage;

import io.cistern.DeviceMemoryException;

/**
 * A device's memory: all that a device implements.
 *
 * <p>Safe for many threads. A storage has no policy: limiting, counting, recording and failing are
 * {@linkplain StorageAdaptor adaptors} around one.
 */
public interface Storage extends AutoCloseable {

  /** What the device is and can do; the same at each call. */
  DeviceProperties properties();

  /**
   * Gets a block from the driver.
   *
   * @param byteSize the size in bytes, above 0
   * @return a block of {@code byteSize} bytes whose base is a multiple of the device's {@linkplain
   *     DeviceProperties#blockAlignment block alignment}; what a driver rounds up to does not show
   * @throws DeviceMemoryException if the device can't give it; nothing changed
   * @throws IllegalArgumentException if {@code byteSize} is not above 0
   * @throws IllegalStateException if this storage is closed
   */
  StorageBlock allocate(long byteSize);

  /**
   * Gives a block back to the driver.
   *
   * @param block a block that this storage gave and has not got back
   * @throws DeviceMemoryException if the device can't take it now (it is in use, or the driver
   *     failed); nothing changed, the block stays valid and may be given back later
   * @throws IllegalArgumentException if the block is of another storage, or given back already, as
   *     every block is once this storage is closed
   */
  void free(StorageBlock block);

  /**
   * Gives everything back that is still out, and ends this storage. A second close does nothing.
   */
  @Override
  void close();
}
