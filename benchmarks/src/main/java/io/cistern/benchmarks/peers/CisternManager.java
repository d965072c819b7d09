package io.cistern.benchmarks.peers;

import io.cistern.MemoryUsage;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.Storage;
import java.util.OptionalLong;

/** Cistern: a manager of its own on a device, used with one kind of handles. */
public final class CisternManager implements Peer {

  /** One kind of handles. */
  private interface Kind {
    Slots slots(MemoryManager manager, int count);
  }

  private final MemoryManager manager;
  private final Kind kind;

  private CisternManager(MemoryManager manager, Kind kind) {
    this.manager = manager;
    this.kind = kind;
  }

  static Peer sharedLongs(Storage storage, MemoryPoolsConfig pools) {
    return new CisternManager(MemoryManager.open(storage, pools), LongSlots::new);
  }

  static Peer sharedObjects(Storage storage, MemoryPoolsConfig pools) {
    return new CisternManager(MemoryManager.open(storage, pools), ObjectSlots::new);
  }

  static Peer confinedLongs(Storage storage, MemoryPoolsConfig pools) {
    return new CisternManager(confined(storage, pools), LongSlots::new);
  }

  static Peer confinedObjects(Storage storage, MemoryPoolsConfig pools) {
    return new CisternManager(confined(storage, pools), ObjectSlots::new);
  }

  private static MemoryManager confined(Storage storage, MemoryPoolsConfig pools) {
    return MemoryManager.builder(storage).pools(pools).confined().open();
  }

  @Override
  public Slots slots(int count) {
    return kind.slots(manager, count);
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
