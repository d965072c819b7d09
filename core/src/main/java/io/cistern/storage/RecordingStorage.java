package io.cistern.storage;

import java.util.ArrayList;
import java.util.List;

/** A storage that keeps a list of the calls that succeeded, in the order they were made. */
public final class RecordingStorage extends StorageAdaptor {

  // Guarded by this, also across the call itself, so that the list has the driver's order.
  private final List<StorageCall> calls = new ArrayList<>();

  /**
   * Records a storage's calls.
   *
   * @param delegate the storage that does the work
   */
  public RecordingStorage(Storage delegate) {
    super(delegate);
  }

  @Override
  public synchronized StorageBlock allocate(long byteSize) {
    StorageBlock block = super.allocate(byteSize);
    record(StorageCall.Kind.ALLOCATE, byteSize);
    return block;
  }

  @Override
  public synchronized void free(StorageBlock block) {
    super.free(block);
    record(StorageCall.Kind.FREE, block.byteSize());
  }

  private void record(StorageCall.Kind kind, long byteSize) {
    calls.add(new StorageCall(kind, calls.size() + 1L, byteSize));
  }

  /** The calls so far, oldest first; a copy. */
  public synchronized List<StorageCall> calls() {
    return List.copyOf(calls);
  }
}
