package io.cistern.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.SimulatedStorage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 7, for allocations that are numbers: closed once, and never somebody else's. */
class HandlesTest {

  private static final MemoryPoolsConfig POOLS =
      MemoryPoolsConfig.of(MemoryPoolConfig.sliced(MemorySize.ofMiB(1)), MemoryPoolConfig.direct());

  private final SimulatedStorage device = SimulatedStorage.withCapacity(MemorySize.ofGiB(4));
  private MemoryManager manager = open(false);
  private Handles handles = manager.handles();

  private MemoryManager open(boolean confined) {
    MemoryManagerBuilder builder = MemoryManager.builder(device).pools(POOLS);
    return (confined ? builder.confined() : builder).open();
  }

  @AfterEach
  void close() {
    manager.close();
    device.close();
  }

  @Test
  void tellsWhatAnAllocationTells() {
    long handle = handles.allocate(1000);
    assertThat(handles.isAlive(handle)).isTrue();
    assertThat(handles.byteSize(handle)).isEqualTo(1000);
    assertThat(handles.pool(handle)).isZero();
    try (Allocation next = manager.allocate(1000)) {
      assertThat(handles.block(handle)).isSameAs(next.block());
      assertThat(handles.byteOffset(handle)).isNotEqualTo(next.byteOffset());
    }
    handles.close(handle);
    assertThat(manager.usage().allocations()).isZero();
  }

  @Test
  void aZeroSizedOneHasNoMemory() {
    long handle = handles.allocate(0);
    assertThat(handles.byteSize(handle)).isZero();
    assertThat(handles.address(handle)).isZero();
    assertThatThrownBy(() -> handles.block(handle)).isInstanceOf(IllegalStateException.class);
    handles.close(handle);
    assertStale(handle);
  }

  @ParameterizedTest
  @ValueSource(longs = {100, 3000, 100_000, 5_000_000})
  void aStaleOneReachesNobody(long byteSize) {
    refuseStale(byteSize);
  }

  private void refuseStale(long byteSize) {
    Set<Long> closed = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      long handle = handles.allocate(byteSize);
      assertThat(closed).doesNotContain(handle);
      handles.close(handle);
      closed.add(handle);
    }
    long live = handles.allocate(byteSize);
    closed.forEach(this::assertStale);
    handles.close(live);
  }

  @Test
  void aStaleOneReachesNobodyInTheNextLayout() {
    List<Long> old = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      old.add(handles.allocate(1000));
    }
    old.forEach(handles::close);
    manager.install(POOLS);
    for (int i = 0; i < 200; i++) {
      assertThat(old).doesNotContain(handles.allocate(1000));
    }
    old.forEach(this::assertStale);
  }

  @Test
  void whatNeverWasOneIsRefused() {
    refuseWhatNeverWasOne();
  }

  private void refuseWhatNeverWasOne() {
    Random random = new Random(5);
    List<Long> live = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      live.add(handles.allocate(random.nextInt(200_000)));
    }
    assertStale(0);
    for (int i = 0; i < 100_000; i++) {
      // Most of these name a pool and a slice that there are.
      long wrong = random.nextLong() & 0xFFFF_FFF0_03FF_0FFFL;
      if (!live.contains(wrong)) {
        assertStale(wrong);
      }
    }
    manager.checkInvariants();
    live.forEach(handles::close);
    manager.checkInvariants();
  }

  private void assertStale(long handle) {
    assertThat(handles.isAlive(handle)).isFalse();
    assertThatThrownBy(() -> handles.close(handle))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("0x" + Long.toHexString(handle));
    assertThatThrownBy(() -> handles.byteSize(handle)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void isClosedSilentlyAfterItsManager() {
    long handle = handles.allocate(1000);
    manager.close();
    assertThat(handles.isAlive(handle)).isFalse();
    assertThatThrownBy(() -> handles.byteSize(handle)).hasMessageContaining("closed");
    handles.close(handle);
    assertThatThrownBy(() -> handles.allocate(1)).hasMessageContaining("closed");
  }

  @Test
  void aNegativeSizeIsRefused() {
    assertThatThrownBy(() -> handles.allocate(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void worksConfined() {
    manager.close();
    manager = open(true);
    handles = manager.handles();
    refuseWhatNeverWasOne();
    refuseStale(3000);
  }
}
