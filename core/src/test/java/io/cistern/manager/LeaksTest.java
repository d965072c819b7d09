package io.cistern.manager;

import static io.cistern.manager.Pools.sliced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.LeakSite;
import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.SafetyOptions;
import io.cistern.storage.MemoryEvent;
import io.cistern.storage.SimulatedStorage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Handles that are watched until they are closed. */
class LeaksTest {

  private final SimulatedStorage device = SimulatedStorage.withCapacity(MemorySize.ofMiB(64));
  private final LinkedBlockingQueue<LeakSite> lost = new LinkedBlockingQueue<>();
  private final List<MemoryEvent.Closed> closed = Collections.synchronizedList(new ArrayList<>());
  private MemoryManager manager = open(1);

  private MemoryManager open(int oneIn) {
    return MemoryManager.builder(device)
        .pools(MemoryPoolsConfig.of(sliced(1 << 20)))
        .safety(SafetyOptions.OFF.withLeaks(oneIn))
        .listener(this::hear)
        .open();
  }

  private void hear(MemoryEvent event) {
    switch (event) {
      case MemoryEvent.HandleLost(LeakSite site) -> lost.add(site);
      case MemoryEvent.Closed end -> closed.add(end);
      default -> {}
    }
  }

  @AfterEach
  void close() {
    manager.close();
    assertThat(device.allocated()).isEqualTo(MemorySize.ZERO);
  }

  private Allocation atOnePlace(long byteSize) {
    return manager.allocate(byteSize);
  }

  private Allocation atAnother(long byteSize) {
    return manager.allocate(byteSize, "tag");
  }

  @Test
  void openHandlesAreGroupedByTheCallsThatMadeThem() {
    List<Allocation> held = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      held.add(atOnePlace(1000));
    }
    held.add(atAnother(7000));
    List<LeakSite> sites = manager.leaks();
    assertThat(sites).extracting(LeakSite::byteSize).containsExactly(7000L, 3000L);
    assertThat(sites).extracting(LeakSite::handles).containsExactly(1L, 3L);
    assertThat(sites).allMatch(site -> site.unreachable() == 0);
    assertThat(sites.get(0).calls().getFirst()).contains("LeaksTest.atAnother");
    assertThat(sites.get(1).calls().getFirst()).contains("LeaksTest.atOnePlace");
    held.forEach(Allocation::close);
    assertThat(manager.leaks()).isEmpty();
  }

  @Test
  void eachHandleOnASliceIsWatched() {
    try (Allocation first = atOnePlace(1000)) {
      Allocation second = first.retain();
      assertThat(manager.leaks()).hasSize(2);
      second.close();
      assertThat(manager.leaks()).hasSize(1);
    }
    assertThat(manager.leaks()).isEmpty();
  }

  @Test
  void aWatchedHandleIsClosedOnce() {
    Allocation allocation = atOnePlace(1000);
    allocation.close();
    assertThatThrownBy(allocation::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed already");
  }

  private void lose() {
    assertThat(atOnePlace(5000).byteSize()).isEqualTo(5000);
  }

  @Test
  void aLostHandleIsToldAndItsMemoryIsNotUsedAgain() throws InterruptedException {
    lose();
    LeakSite told = null;
    for (int i = 0; i < 600 && told == null; i++) {
      System.gc();
      told = lost.poll(100, TimeUnit.MILLISECONDS);
    }
    assertThat(told).isNotNull();
    assertThat(told.unreachable()).isEqualTo(1);
    assertThat(told.byteSize()).isEqualTo(5000);
    assertThat(told.calls()).anyMatch(call -> call.contains("LeaksTest.lose"));
    assertThat(manager.leaks()).containsExactly(told);
    assertThat(manager.usage().inUse()).isEqualTo(MemorySize.of(5000));
    try (Allocation next = atOnePlace(5000)) {
      assertThat(next.byteOffset()).isPositive();
    }
    manager.close();
    assertThat(closed).hasSize(1);
    assertThat(closed.getFirst().liveAllocations()).isEqualTo(1);
    assertThat(manager.leaks()).isEmpty();
  }

  @Test
  void aClosedHandleIsNeverTold() throws InterruptedException {
    atOnePlace(1000).close();
    for (int i = 0; i < 5; i++) {
      System.gc();
      assertThat(lost.poll(20, TimeUnit.MILLISECONDS)).isNull();
    }
  }

  @Test
  void aSampleIsOfSlicesThatAreUsedAgainAndOfNewOnes() {
    manager.close();
    manager = open(128);
    int watched = 0;
    for (int i = 0; i < 12_800; i++) {
      try (Allocation one = atOnePlace(256)) {
        watched += one instanceof WatchedAllocation ? 1 : 0;
      }
    }
    assertThat(watched).isBetween(50, 200); // Expected: 100. Deterministic, one thread.
    List<Allocation> held = new ArrayList<>();
    for (int i = 0; i < 12_800; i++) {
      held.add(atOnePlace(256));
    }
    assertThat(manager.leaks().stream().mapToLong(LeakSite::handles).sum()).isBetween(50L, 200L);
    held.forEach(Allocation::close);
    assertThat(manager.leaks()).isEmpty();
    manager.checkInvariants();
  }
}
