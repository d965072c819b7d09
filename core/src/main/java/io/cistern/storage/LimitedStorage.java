package io.cistern.storage;

import io.cistern.MemorySize;

/** A storage that hands out no more than a limit at once, as if the device had that much memory. */
public final class LimitedStorage extends StorageAdaptor {

  private final MemorySize limit;

  // 0 <= out <= limit, the bytes of the blocks that are out. Guarded by this.
  private long out;

  /**
   * Limits a storage.
   *
   * @param delegate the storage that does the work
   * @param limit the most bytes that may be out at once
   */
  public LimitedStorage(Storage delegate, MemorySize limit) {
    super(delegate);
    this.limit = limit;
  }

  /** The device's properties, its memory no more than the limit. */
  @Override
  public DeviceProperties properties() {
    DeviceProperties device = super.properties();
    return limit.compareTo(device.total()) < 0 ? device.withTotal(limit) : device;
  }

  @Override
  public synchronized StorageBlock allocate(long byteSize) {
    if (byteSize > limit.bytes() - out) {
      throw StorageErrors.outOfMemory(properties().name(), byteSize, out, limit.bytes());
    }
    StorageBlock block = super.allocate(byteSize);
    out += byteSize;
    return block;
  }

  @Override
  public synchronized void free(StorageBlock block) {
    super.free(block);
    out -= block.byteSize();
  }
}
