package io.cistern.benchmarks.peers;

import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;

/** Handles of Cistern that are objects. */
final class ObjectSlots extends Slots {

  private final MemoryManager manager;
  private final Allocation[] handles;

  ObjectSlots(MemoryManager manager, int count) {
    this.manager = manager;
    this.handles = new Allocation[count];
  }

  @Override
  public void allocate(int slot, long byteSize) {
    handles[slot] = manager.allocate(byteSize);
  }

  @Override
  public void free(int slot) {
    handles[slot].close();
  }
}
