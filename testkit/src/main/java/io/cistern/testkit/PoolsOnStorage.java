package io.cistern.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.Feature;
import io.cistern.storage.Storage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Pools of every kind on a storage: random requests, each slice written and verified. */
final class PoolsOnStorage {

  private static final int STEPS = 400;
  private static final int MOST_LIVE = 40;
  private static final int LARGEST = 100_000;

  private record Live(Allocation allocation, long seed) {}

  private final Storage storage;
  private final Random random;
  private final List<Live> live = new ArrayList<>();

  PoolsOnStorage(Storage storage, long seed) {
    this.storage = storage;
    this.random = new Random(seed);
  }

  private static MemoryPoolsConfig pools() {
    return MemoryPoolsConfig.of(
        MemoryPoolConfig.sliced(MemorySize.ofKiB(256)).withMaxSliceSize(MemorySize.ofKiB(16)),
        MemoryPoolConfig.exclusive(MemorySize.ofKiB(64)).withDeallocPeriod(20),
        MemoryPoolConfig.direct());
  }

  /** Runs, and leaves nothing out. */
  void run() {
    try (MemoryManager memory = MemoryManager.open(storage, pools())) {
      for (int step = 0; step < STEPS; step++) {
        if (live.size() < MOST_LIVE && random.nextInt(5) < 3) {
          add(memory, step);
        } else if (!live.isEmpty()) {
          remove(random.nextInt(live.size()));
        }
      }
      while (!live.isEmpty()) {
        remove(live.size() - 1);
      }
      memory.trim();
      assertThat(memory.usage().reserved()).isEqualTo(MemorySize.ZERO);
    }
  }

  private void add(MemoryManager memory, long seed) {
    Allocation allocation = memory.allocate(1 + random.nextInt(LARGEST));
    assertThat(allocation.byteOffset() % storage.properties().byteAlignment()).isZero();
    live.add(new Live(allocation, seed));
    if (storage.properties().has(Feature.COPY)) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment bytes = arena.allocate(allocation.byteSize());
        Patterns.write(bytes, seed);
        allocation.write(0, bytes);
      }
    }
  }

  private void remove(int index) {
    Live gone = live.remove(index);
    if (storage.properties().has(Feature.COPY)) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment bytes = arena.allocate(gone.allocation.byteSize());
        gone.allocation.read(0, bytes);
        Patterns.verify(bytes, gone.seed);
      }
    }
    gone.allocation.close();
  }
}
