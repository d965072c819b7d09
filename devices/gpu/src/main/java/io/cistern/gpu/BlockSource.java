package io.cistern.gpu;

import io.cistern.DeviceMemoryException;

/** Where a storage's blocks come from: one kind of the driver's memory. */
interface BlockSource {

  /**
   * Takes memory that any stream may use when this returns.
   *
   * @return its address
   * @throws DeviceMemoryException if the driver refuses; nothing changed
   */
  long take(long byteSize);

  /**
   * Gives memory back.
   *
   * @throws DeviceMemoryException if the driver refuses; the memory is still there
   */
  void giveBack(long address, long byteSize);
}
