package io.cistern.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.StorageOptions;
import io.cistern.testkit.Patterns;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Both presets on real memory: every slice keeps its bytes. */
class HostPoolsTest {

  private static final int THREADS = 3;

  private static HostStorage open() {
    return HostStorage.open(
        StorageOptions.DEFAULT
            .withCapacity(MemorySize.ofMiB(1024))
            .withMaxPageSize(MemorySize.ofMiB(256)));
  }

  @ParameterizedTest
  @EnumSource
  void slicesDoNotOverlap(MemoryPoolsConfig.Preset preset) {
    try (HostStorage storage = open();
        MemoryManager manager = MemoryManager.open(storage, preset)) {
      churn(manager, 1, 5_000);
      assertThat(manager.usage().inUse()).isEqualTo(MemorySize.ZERO);
      MemorySize held = storage.allocated();
      assertThat(held).isGreaterThan(MemorySize.ZERO);
      assertThat(manager.trim()).isEqualTo(held);
      assertThat(storage.allocated()).isEqualTo(MemorySize.ZERO);
    }
  }

  @ParameterizedTest
  @EnumSource
  void threadsDoNotMeetInMemory(MemoryPoolsConfig.Preset preset) throws Exception {
    try (HostStorage storage = open();
        MemoryManager manager = MemoryManager.open(storage, preset);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Callable<Void>> work = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int seed = thread;
        work.add(
            () -> {
              churn(manager, seed, 1_000);
              return null;
            });
      }
      for (Future<Void> done : threads.invokeAll(work)) {
        done.get();
      }
      assertThat(manager.usage().allocations()).isZero();
    }
  }

  /** Holds up to 100 allocations; verifies each when it goes. */
  private static void churn(MemoryManager manager, int seed, int steps) {
    Random random = new Random(seed);
    List<Allocation> live = new ArrayList<>();
    List<Long> patterns = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      if (live.size() == 100 || (!live.isEmpty() && random.nextInt(3) == 0)) {
        int which = random.nextInt(live.size());
        close(live.remove(which), patterns.remove(which));
      } else {
        long byteSize = 1 + random.nextLong(1L << random.nextInt(1, 19));
        live.add(manager.allocate(byteSize));
        patterns.add((long) seed << 32 | step);
        Patterns.write(live.getLast().segment(), patterns.getLast());
      }
    }
    for (int i = 0; i < live.size(); i++) {
      close(live.get(i), patterns.get(i));
    }
  }

  private static void close(Allocation allocation, long pattern) {
    assertThat(allocation.segment().address()).isEqualTo(allocation.address());
    Patterns.verify(allocation.segment(), pattern);
    allocation.close();
  }
}
