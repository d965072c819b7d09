package io.cistern.host;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.DeviceMemoryException;
import io.cistern.LiveAllocation;
import io.cistern.MemoryFault;
import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.SafetyOptions;
import io.cistern.manager.Allocation;
import io.cistern.manager.DryRun;
import io.cistern.manager.Handles;
import io.cistern.manager.MemoryManager;
import io.cistern.manager.MemoryManagerBuilder;
import io.cistern.storage.SimulatedStorage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is watched over real bytes. */
class SafetyTest {

  private final HostStorage host = HostStorage.open();
  private MemoryManager manager = open("off");

  private MemoryManager open(String safety) {
    return builder(safety).open();
  }

  private MemoryManagerBuilder builder(String safety) {
    return MemoryManager.builder(host)
        .pools(
            MemoryPoolsConfig.of(
                MemoryPoolConfig.sliced(MemorySize.ofKiB(64)),
                MemoryPoolConfig.exclusive(MemorySize.ofMiB(1))))
        .safety(SafetyOptions.parse(safety));
  }

  private void reopen(String safety) {
    manager.close();
    manager = open(safety);
  }

  @AfterEach
  void close() {
    manager.close();
    assertThat(host.blocksOut()).isZero();
    host.close();
  }

  private static void set(MemorySegment segment, long offset, int value) {
    segment.set(JAVA_BYTE, offset, (byte) value);
  }

  private MemorySegment kept(long byteSize) {
    try (Allocation allocation = manager.allocate(byteSize)) {
      return allocation.segment();
    }
  }

  @Test
  void withCheckASegmentEndsWithItsHandle() {
    reopen("check");
    MemorySegment kept = kept(1000);
    assertThat(kept.byteSize()).isEqualTo(1000);
    assertThatThrownBy(() -> set(kept, 0, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> kept.get(JAVA_BYTE, 999)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void withCheckTheNextOwnerHasTheSliceAndTheOldSegmentNothing() {
    reopen("check");
    MemorySegment kept = kept(1000);
    try (Allocation next = manager.allocate(1000)) {
      MemorySegment segment = next.segment();
      assertThat(segment.address()).isEqualTo(kept.address());
      set(segment, 5, 7);
      assertThat(segment.get(JAVA_BYTE, 5)).isEqualTo((byte) 7);
      assertThatThrownBy(() -> set(kept, 5, 1)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void withCheckEachHandleEndsItsOwnSegments() {
    reopen("check");
    try (Allocation first = manager.allocate(1000)) {
      Allocation second = first.retain();
      MemorySegment ofFirst = first.segment();
      MemorySegment ofSecond = second.segment();
      set(ofSecond, 0, 9);
      second.close();
      assertThat(ofFirst.get(JAVA_BYTE, 0)).isEqualTo((byte) 9);
      assertThatThrownBy(() -> ofSecond.get(JAVA_BYTE, 0))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void withCheckSegmentsOfAConfinedManagerEndToo() {
    manager.close();
    manager = builder("check").confined().open();
    MemorySegment kept = kept(1000);
    assertThatThrownBy(() -> set(kept, 0, 1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void withCheckAClosedManagerEndsTheSegmentsOfLiveHandlesAndGivesTheirPagesBack() {
    reopen("check");
    MemorySegment live = manager.allocate(1000).segment();
    manager.close();
    assertThatThrownBy(() -> set(live, 0, 1)).isInstanceOf(IllegalStateException.class);
    assertThat(host.blocksOut()).isZero();
  }

  @Test
  void withCheckACloseIsRefusedWhileANativeCallHasTheSegment() {
    reopen("check");
    Allocation allocation = manager.allocate(1000);
    MemorySegment segment = allocation.segment();
    NativeCall.with(
        segment,
        () -> {
          assertThatThrownBy(allocation::close).isInstanceOf(IllegalStateException.class);
          assertThat(allocation.isAlive()).isTrue();
        });
    allocation.close();
    assertThat(manager.usage().allocations()).isZero();
  }

  @Test
  void arenasWorkWhereSegmentsEndWithTheirHandle() {
    reopen("check,poison,redzones");
    MemorySegment segment;
    try (PooledArena arena = PooledArena.ofConfined(manager)) {
      segment = arena.allocate(100, 8);
      segment.fill((byte) 1);
    }
    assertThatThrownBy(() -> set(segment, 0, 1)).isInstanceOf(IllegalStateException.class);
    assertThat(manager.faults()).isEmpty();
  }

  private MemoryFault onlyFault() {
    assertThat(manager.faults()).hasSize(1);
    return manager.faults().getFirst();
  }

  @ParameterizedTest
  @ValueSource(strings = {"poison", "poison,zero-on-free"})
  void withPoisonALateWriteIsFoundWhenTheSliceIsUsedAgain(String safety) {
    reopen(safety);
    MemorySegment kept;
    long offset;
    try (Allocation allocation = manager.allocate(1000, "victim")) {
      kept = allocation.segment();
      offset = allocation.byteOffset();
    }
    set(kept, 100, 1);
    set(kept, 103, 2);
    assertThat(manager.faults()).isEmpty();
    manager.allocate(1000).close();
    MemoryFault fault = onlyFault();
    assertThat(fault.kind()).isEqualTo(MemoryFault.Kind.LATE_WRITE);
    assertThat(fault.byteOffset()).isEqualTo(offset + 100);
    assertThat(fault.byteSize()).isEqualTo(4);
    assertThat(fault.owner()).map(LiveAllocation::tag).contains("victim");
    manager.allocate(1000).close();
    assertThat(manager.faults()).hasSize(1);
  }

  @Test
  void withPoisonALateWriteIsFoundWhenTheSliceIsPartOfALargerOne() {
    reopen("poison");
    kept(30_000);
    MemorySegment kept = kept(20_000);
    set(kept, 19_999, 1);
    manager.allocate(40_000).close();
    assertThat(onlyFault().byteOffset()).isEqualTo(19_999);
    assertThat(onlyFault().owner()).map(LiveAllocation::byteSize).contains(20_000L);
  }

  @Test
  void withPoisonALateWriteIsFoundWhenThePageGoesBack() {
    reopen("poison");
    MemorySegment kept = kept(1000);
    set(kept, 1, 1);
    manager.trim();
    assertThat(onlyFault().kind()).isEqualTo(MemoryFault.Kind.LATE_WRITE);
  }

  @Test
  void withPoisonALateWriteIsFoundWhenTheManagerCloses() {
    reopen("poison,quarantine");
    MemorySegment kept = kept(500_000);
    set(kept, 499_999, 1);
    manager.close();
    assertThat(onlyFault().byteOffset()).isEqualTo(499_999);
  }

  @Test
  void withRedZonesAWriteBeyondTheEndIsFoundAtTheClose() {
    reopen("redzones=16");
    try (Allocation allocation = manager.allocate(1001, "victim")) {
      MemorySegment beyond =
          allocation.block().segment().asSlice(allocation.byteOffset(), 1001 + 16);
      set(beyond, 1001, 1);
      assertThat(manager.faults()).isEmpty();
    }
    MemoryFault fault = onlyFault();
    assertThat(fault.kind()).isEqualTo(MemoryFault.Kind.OVERRUN);
    assertThat(fault.byteSize()).isEqualTo(1);
    assertThat(fault.owner()).map(LiveAllocation::tag).contains("victim");
  }

  @Test
  void withRedZonesSizesAreTheOnesThatWereAskedFor() {
    reopen("redzones=64");
    try (Allocation one = manager.allocate(256);
        Allocation none = manager.allocate(0)) {
      assertThat(one.byteSize()).isEqualTo(256);
      assertThat(one.segment().byteSize()).isEqualTo(256);
      assertThat(none.byteSize()).isZero();
      assertThat(manager.usage().inUse()).isEqualTo(MemorySize.of(256 + 64));
      Handles handles = manager.handles();
      long handle = handles.allocate(256);
      assertThat(handles.byteSize(handle)).isEqualTo(256);
      assertThat(handles.segment(handle).byteSize()).isEqualTo(256);
      handles.close(handle);
    }
    assertThat(manager.faults()).isEmpty();
  }

  @Test
  void withZeroOnAllocateAnOwnerNeverSeesWhatAnotherLeft() {
    reopen("zero-on-allocate");
    for (int i = 0; i < 3; i++) {
      try (Allocation allocation = manager.allocate(1000)) {
        assertThat(allocation.segment().toArray(JAVA_BYTE)).containsOnly(0);
        allocation.segment().fill((byte) 42);
      }
    }
  }

  @Test
  void withZeroOnFreeNothingIsLeftBehind() {
    reopen("zero-on-free");
    MemorySegment kept;
    try (Allocation allocation = manager.allocate(1000)) {
      kept = allocation.segment();
      kept.fill((byte) 42);
    }
    assertThat(kept.toArray(JAVA_BYTE)).containsOnly(0);
  }

  @Test
  void withZeroOnAllocateWhatADryRunLeftUnmappedIsZeroToo() {
    reopen("zero-on-allocate,poison");
    DryRun run = manager.openDryRun();
    Allocation unmapped = manager.allocate(1000);
    run.close();
    try (unmapped;
        Allocation after = manager.allocate(1000)) {
      unmapped.segment().fill((byte) 1);
      assertThat(after.segment().toArray(JAVA_BYTE)).containsOnly(0);
    }
    assertThat(manager.faults()).isEmpty();
  }

  @Test
  void withRedZonesWhatADryRunLeftUnmappedIsFilledWhenItIsMapped() {
    reopen("redzones");
    DryRun run = manager.openDryRun();
    Allocation unmapped = manager.allocate(1000);
    run.close();
    unmapped.segment().fill((byte) 1);
    unmapped.close();
    assertThat(manager.faults()).isEmpty();
  }

  @Test
  void aDeviceWithoutBytesRefusesWhatNeedsThem() {
    SimulatedStorage device = SimulatedStorage.withCapacity(MemorySize.ofMiB(1));
    for (String word : List.of("poison", "redzones", "zero-on-allocate", "zero-on-free")) {
      assertThatThrownBy(
              () -> MemoryManager.builder(device).safety(SafetyOptions.parse(word)).open())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("need a device with host access");
    }
    assertThatThrownBy(
            () -> MemoryManager.builder(device).safety(SafetyOptions.parse("check")).open())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lend segments");
  }

  /** Owners that keep to their bytes are never blamed, whatever is watched. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "poison",
        "poison,zero-on-free",
        "redzones=100",
        "check,poison,quarantine=100KiB,redzones=64,leaks=3,zero-on-allocate,zero-on-free"
      })
  void honestProgramsHaveNoFaults(String safety) {
    reopen(safety);
    Random random = new Random(1);
    List<Allocation> live = new ArrayList<>();
    for (int step = 0; step < 5000; step++) {
      if (live.size() < 60 && random.nextBoolean()) {
        long byteSize = 1L << random.nextInt(19);
        Allocation made =
            manager.allocate(byteSize + random.nextInt(100), 1L << random.nextInt(13));
        made.segment().fill((byte) step);
        live.add(made);
      } else if (!live.isEmpty()) {
        live.remove(random.nextInt(live.size())).close();
      }
      if (step % 500 == 0) {
        manager.trim();
      }
    }
    live.forEach(Allocation::close);
    manager.close();
    assertThat(manager.faults()).isEmpty();
  }

  @Test
  void aLentSegmentKeepsItsBlock() {
    HostBlock block = host.allocate(4096);
    MemorySegment lent;
    try (Arena arena = Arena.ofShared()) {
      lent = block.segment(100, 200, arena);
      assertThat(lent.byteSize()).isEqualTo(200);
      assertThatThrownBy(() -> host.free(block)).isInstanceOf(DeviceMemoryException.class);
    }
    host.free(block);
    assertThatThrownBy(() -> lent.get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
  }
}
