package io.cistern.stress.races;

import io.cistern.MemorySize;
import io.cistern.PoolsInUseException;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.layout.LayoutException;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.SimulatedStorage;

/** A manager whose slices go through magazines, with some on a shelf and peaks that are far off. */
final class OneShelf {

  static final long BYTES = 1024;

  final SimulatedStorage device = SimulatedStorage.withCapacity(MemorySize.ofMiB(1));
  final MemoryManager manager =
      MemoryManager.open(
          device,
          MemoryPoolsConfig.of(
              MemoryPoolConfig.sliced(MemorySize.ofMiB(1)).withMaxPoolSize(MemorySize.ofMiB(1))));

  OneShelf() {
    Allocation[] some = new Allocation[8];
    for (int i = 0; i < some.length; i++) {
      some[i] = manager.allocate(BYTES);
    }
    for (Allocation one : some) {
      one.close();
    }
  }

  /** Puts another layout in force: 1, or 0 if slices are live. */
  int install() {
    try {
      manager.install(MemoryPoolsConfig.of(MemoryPoolConfig.sliced(MemorySize.ofKiB(256))));
      return 1;
    } catch (PoolsInUseException live) {
      return 0;
    } catch (LayoutException e) {
      throw new IllegalStateException(e);
    }
  }

  /** 1 if no two live allocations share memory, and what is counted is what is live; else 0. */
  int isSound(Allocation... live) {
    boolean sound = manager.usage().allocations() == live.length;
    for (int i = 0; i < live.length; i++) {
      for (int j = 0; j < i; j++) {
        sound &= Math.abs(live[i].byteOffset() - live[j].byteOffset()) >= BYTES;
      }
    }
    return sound ? 1 : 0;
  }
}
