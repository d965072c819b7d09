package io.cistern.trace.replay;

import io.cistern.MemorySize;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Feature;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageBlock;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * A device with bytes, seen by the host or copied as the features say: its blocks are arrays, or,
 * for a planted fault, all the same array.
 */
final class HeapStorage implements Storage {

  private final Set<Feature> features;
  private final byte @org.jspecify.annotations.Nullable [] shared;

  HeapStorage(boolean overlapping, Set<Feature> features) {
    this.features = features;
    this.shared = overlapping ? new byte[1 << 20] : null;
  }

  @Override
  public DeviceProperties properties() {
    return new DeviceProperties(
        "heap", MemorySize.ofMiB(64), MemorySize.ofMiB(1), 16, 16, features);
  }

  @Override
  public StorageBlock allocate(long byteSize) {
    byte[] bytes = shared != null ? shared : new byte[Math.toIntExact(byteSize)];
    return new StorageBlock() {
      @Override
      public long byteSize() {
        return byteSize;
      }

      @Override
      public MemorySegment segment() {
        return MemorySegment.ofArray(bytes).asSlice(0, byteSize);
      }

      @Override
      public long address() {
        throw new UnsupportedOperationException("an array has no address");
      }
    };
  }

  @Override
  public void free(StorageBlock block) {}

  @Override
  public void close() {}
}
