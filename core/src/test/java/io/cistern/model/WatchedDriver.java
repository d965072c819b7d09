package io.cistern.model;

import io.cistern.DeviceMemoryException;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageAdaptor;
import io.cistern.storage.StorageBlock;
import java.util.Queue;

/** A driver that notes each call and its answer, and refuses what it is told to. */
final class WatchedDriver extends StorageAdaptor {

  private final Queue<Call> calls;
  boolean refusesBlocks;
  boolean refusesFrees;

  WatchedDriver(Storage delegate, Queue<Call> calls) {
    super(delegate);
    this.calls = calls;
  }

  @Override
  public StorageBlock allocate(long byteSize) {
    boolean granted = false;
    try {
      if (refusesBlocks) {
        throw refusal("a block", byteSize);
      }
      StorageBlock block = super.allocate(byteSize);
      granted = true;
      return block;
    } finally {
      calls.add(new Call.Made(byteSize, granted));
    }
  }

  @Override
  public void free(StorageBlock block) {
    calls.add(new Call.Freed(block, !refusesFrees));
    if (refusesFrees) {
      throw refusal("to take back a block", block.byteSize());
    }
    super.free(block);
  }

  private static DeviceMemoryException refusal(String what, long byteSize) {
    return new DeviceMemoryException(
        "told to refuse " + what, byteSize, DeviceMemoryException.Reason.DRIVER_FAILED);
  }
}
