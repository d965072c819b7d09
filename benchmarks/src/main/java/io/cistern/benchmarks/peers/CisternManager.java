package io.cistern.benchmarks.peers;

import io.cistern.MemoryUsage;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.Storage;
import java.util.OptionalLong;

/** Cistern: a manager of its own on a device, used with one kind of handles. */
public final class CisternManager implements Peer {

  /** One kind of handles. */
  interface Handles {
    Slots slots(MemoryManager manager, int count);
  }

  private final MemoryManager manager;
  private final Handles handles;

  private CisternManager(MemoryManager manager, Handles handles) {
    this.manager = manager;
    this.handles = handles;
  }

  static CisternManager sharedObjects(Storage storage, MemoryPoolsConfig pools) {
    return new CisternManager(MemoryManager.open(storage, pools), ObjectSlots::new);
  }

  static CisternManager confinedObjects(Storage storage, MemoryPoolsConfig pools) {
    return new CisternManager(
        MemoryManager.builder(storage).pools(pools).confined().open(), ObjectSlots::new);
  }

  @Override
  public Slots slots(int count) {
    return handles.slots(manager, count);
  }

  @Override
  public OptionalLong heldBytes() {
    return OptionalLong.of(usage().reserved().bytes());
  }

  /** What the manager's pools hold, and their peaks. */
  public MemoryUsage usage() {
    return manager.usage();
  }

  @Override
  public void close() {
    manager.close();
  }
}
