package io.cistern.benchmarks.peers;

import io.cistern.manager.Handles;
import io.cistern.manager.MemoryManager;

/** Handles of Cistern that are numbers. */
final class LongSlots extends Slots {

  private final Handles allocations;
  private final long[] handles;

  LongSlots(MemoryManager manager, int count) {
    this.allocations = manager.handles();
    this.handles = new long[count];
  }

  @Override
  public void allocate(int slot, long byteSize) {
    handles[slot] = allocations.allocate(byteSize);
  }

  @Override
  public void free(int slot) {
    allocations.close(handles[slot]);
  }
}
