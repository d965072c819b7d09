package io.cistern.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.MemorySize;
import io.cistern.OutOfDeviceMemoryException;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.SimulatedStorage;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** A manager that is confined to a thread. */
class ConfinedTest {

  private final SimulatedStorage device = SimulatedStorage.withCapacity(MemorySize.ofMiB(4));
  private final MemoryPoolsConfig pools =
      MemoryPoolsConfig.of(MemoryPoolConfig.sliced(MemorySize.ofMiB(4)));
  private final MemoryManager manager =
      MemoryManager.builder(device).pools(pools).confined().open();

  private static void elsewhere(Runnable work) {
    CompletableFuture.runAsync(work, task -> new Thread(task, "other").start()).join();
  }

  @Test
  void refusesOtherThreadsAndNamesBoth() {
    Allocation allocation = manager.allocate(1000);
    long handle = manager.handles().allocate(1000);
    assertRefused(() -> manager.allocate(1000));
    assertRefused(() -> manager.handles().allocate(1000));
    assertRefused(manager::usage);
    assertRefused(manager::trim);
    assertRefused(manager::close);
    assertRefused(allocation::close);
    assertRefused(allocation::retain);
    assertRefused(() -> manager.handles().close(handle));
    allocation.close();
    manager.handles().close(handle);
    assertThat(manager.usage().allocations()).isZero();
  }

  private static void assertRefused(Runnable work) {
    assertThatThrownBy(() -> elsewhere(work))
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOf(WrongThreadException.class)
        .hasMessageContaining(Thread.currentThread().getName())
        .hasMessageContaining("other");
  }

  @Test
  void keepsItsFreePagesFromOthersThatRunOut() {
    manager.allocate(1000).close();
    assertThatThrownBy(
            () ->
                elsewhere(
                    () -> {
                      try (MemoryManager other = MemoryManager.open(device, pools)) {
                        other.allocate(1000);
                      }
                    }))
        .cause()
        .isInstanceOf(OutOfDeviceMemoryException.class);
    manager.trim();
    elsewhere(
        () -> {
          try (MemoryManager other = MemoryManager.open(device, pools);
              Allocation allocation = other.allocate(1000)) {
            assertThat(allocation.isAlive()).isTrue();
          }
        });
  }

  @Test
  void isNoStreamOfADeviceMemory() {
    try (DeviceMemory memory =
        DeviceMemory.open(device, pools, (builder, stream) -> builder.confined())) {
      assertThatThrownBy(() -> memory.stream(0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("confined");
    }
  }
}
