package io.cistern.storage;

import io.cistern.MemorySize;

/** A storage that counts the driver's calls and the bytes that are out. */
public final class CountingStorage extends StorageAdaptor {

  // allocations - frees = blocks out, 0 <= bytes <= bytesPeak. Guarded by this.
  private long allocations;
  private long frees;
  private long refused;
  private long bytes;
  private long bytesPeak;

  /**
   * Counts a storage's calls.
   *
   * @param delegate the storage that does the work
   */
  public CountingStorage(Storage delegate) {
    super(delegate);
  }

  @Override
  public StorageBlock allocate(long byteSize) {
    StorageBlock block;
    try {
      block = super.allocate(byteSize);
    } catch (RuntimeException e) {
      countRefused();
      throw e;
    }
    countAllocated(block.byteSize());
    return block;
  }

  @Override
  public void free(StorageBlock block) {
    try {
      super.free(block);
    } catch (RuntimeException e) {
      countRefused();
      throw e;
    }
    countFreed(block.byteSize());
  }

  private synchronized void countAllocated(long byteSize) {
    allocations++;
    bytes += byteSize;
    bytesPeak = Math.max(bytesPeak, bytes);
  }

  private synchronized void countFreed(long byteSize) {
    frees++;
    bytes -= byteSize;
  }

  private synchronized void countRefused() {
    refused++;
  }

  /** Closes the storage that does the work; what it still had out counts as given back. */
  @Override
  public synchronized void close() {
    super.close();
    frees = allocations;
    bytes = 0;
  }

  /** The blocks that were made. */
  public synchronized long allocations() {
    return allocations;
  }

  /** The blocks that were given back. */
  public synchronized long frees() {
    return frees;
  }

  /** The calls of either kind that failed. */
  public synchronized long refused() {
    return refused;
  }

  /** The bytes of the blocks that are out. */
  public synchronized MemorySize allocated() {
    return MemorySize.of(bytes);
  }

  /** The most bytes that were out at once. */
  public synchronized MemorySize allocatedPeak() {
    return MemorySize.of(bytesPeak);
  }
}
