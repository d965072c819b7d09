package io.cistern.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lwjgl.vulkan.VK10.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.testkit.Patterns;
import io.cistern.vulkan.CountingCalls.Counted;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Both presets on Vulkan memory: every slice keeps its bytes, and nothing is left. */
class VulkanPoolsTest {

  private static Counted open(boolean seen) {
    UnaryOperator<DeviceSetup> change = seen ? UnaryOperator.identity() : Lavapipe::unseen;
    return CountingCalls.open(
        Lavapipe.OPTIONS.withCapacity(MemorySize.ofMiB(512)).withMaxPageSize(MemorySize.ofMiB(64)),
        change);
  }

  @ParameterizedTest
  @CsvSource({
    "SUB_SLICES, true",
    "SUB_SLICES, false",
    "EXCLUSIVE_PAGES, true",
    "EXCLUSIVE_PAGES, false"
  })
  void slicesDoNotOverlap(MemoryPoolsConfig.Preset preset, boolean seen) {
    try (Counted counted = open(seen);
        MemoryManager manager = MemoryManager.open(counted.storage(), preset)) {
      churn(manager, 1, seen ? 3_000 : 800);
      assertThat(manager.usage().inUse()).isEqualTo(MemorySize.ZERO);
      MemorySize held = counted.storage().allocated();
      assertThat(held).isGreaterThan(MemorySize.ZERO);
      assertThat(manager.trim()).isEqualTo(held);
      assertThat(counted.storage().allocated()).isEqualTo(MemorySize.ZERO);
      assertThat(counted.calls().memories).hasSize(seen ? 0 : 1);
    }
  }

  /** Holds up to 60 allocations; verifies each when it goes. */
  private static void churn(MemoryManager manager, int seed, int steps) {
    Random random = new Random(seed);
    List<Allocation> live = new ArrayList<>();
    List<Long> patterns = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      if (live.size() == 60 || (!live.isEmpty() && random.nextInt(3) == 0)) {
        int which = random.nextInt(live.size());
        close(live.remove(which), patterns.remove(which));
      } else {
        live.add(manager.allocate(1 + random.nextLong(1L << random.nextInt(1, 19))));
        patterns.add((long) seed << 32 | step);
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment bytes = arena.allocate(live.getLast().byteSize());
          Patterns.write(bytes, patterns.getLast());
          live.getLast().write(0, bytes);
        }
      }
    }
    for (int i = 0; i < live.size(); i++) {
      close(live.get(i), patterns.get(i));
    }
  }

  private static void close(Allocation allocation, long pattern) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(allocation.byteSize());
      allocation.read(0, bytes);
      Patterns.verify(bytes, pattern);
    }
    allocation.close();
  }

  /** Threads make and close buffers of one storage, some of which wait for a fence. */
  @Test
  void threadsDoNotMeetInMemory() throws Exception {
    try (Counted counted = open(true);
        MemoryManager manager =
            MemoryManager.open(counted.storage(), MemoryPoolsConfig.Preset.SUB_SLICES);
        ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Callable<Void>> work = new ArrayList<>();
      for (int thread = 0; thread < 3; thread++) {
        int number = thread;
        work.add(
            () -> {
              makeAndClose(counted.storage(), manager, number);
              return null;
            });
      }
      for (Future<Void> done : threads.invokeAll(work)) {
        done.get();
      }
      assertThat(manager.usage().allocations()).isZero();
    }
  }

  private static void makeAndClose(VulkanStorage storage, MemoryManager manager, int thread) {
    for (int round = 0; round < 300; round++) {
      long seed = thread * 1000L + round;
      VulkanBuffer buffer =
          VulkanBuffer.create(
              storage, manager, 1 + seed * 7 % 5000, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
      Patterns.write(buffer.segment(), seed);
      ManualFence fence = new ManualFence();
      if (round % 3 == 0) {
        buffer.usedUntil(fence);
      }
      Patterns.verify(buffer.segment(), seed);
      buffer.close();
      fence.passed = true;
    }
  }
}
