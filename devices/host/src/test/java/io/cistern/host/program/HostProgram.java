package io.cistern.host.program;

import io.cistern.config.MemoryPoolsConfig;
import io.cistern.host.PooledArena;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageOptions;
import io.cistern.storage.StorageProvider;
import java.lang.foreign.Arena;
import java.util.ServiceLoader;

/** A user's program, which runs in a JVM of its own. */
public final class HostProgram {

  private HostProgram() {}

  /** Uses host memory in each way, then says so. */
  public static void main(String[] args) {
    StorageProvider host =
        ServiceLoader.load(StorageProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(provider -> provider.name().equals("host"))
            .findFirst()
            .orElseThrow();
    try (Storage storage = host.open(StorageOptions.DEFAULT);
        MemoryManager manager = MemoryManager.open(storage, MemoryPoolsConfig.Preset.SUB_SLICES)) {
      try (var allocation = manager.allocate(1000)) {
        allocation.segment().fill((byte) 1);
      }
      try (Arena arena = PooledArena.ofShared(manager)) {
        System.out.println(arena.allocateFrom("done").getString(0));
      }
    }
  }
}
