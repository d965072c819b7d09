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

  /** The device's properties, its memory and largest page no more than the limit. */
  @Override
  public DeviceProperties properties() {
    DeviceProperties device = super.properties();
    return device
        .withTotal(smaller(limit, device.total()))
        .withMaxPageSize(smaller(limit, device.maxPageSize()));
  }

  private static MemorySize smaller(MemorySize one, MemorySize other) {
    return one.compareTo(other) < 0 ? one : other;
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

  @Override
  public synchronized void close() {
    super.close();
    out = 0;
  }
}
