package io.cistern.pool;

import io.cistern.storage.StorageBlock;
import java.lang.foreign.MemorySegment;

/**
 * Stands for the block of a page that was made in a dry run: the driver knows nothing of it. It
 * never leaves its pool.
 */
record UnmappedBlock(long byteSize) implements StorageBlock {

  @Override
  public MemorySegment segment() {
    throw new IllegalStateException("an unmapped page has no memory");
  }

  @Override
  public long address() {
    throw new IllegalStateException("an unmapped page has no address");
  }
}
