package io.cistern.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.MemoryManager;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

class PooledAllocatorTest {

  private static final MemoryPoolsConfig PAGES_OF_1_MIB =
      new MemoryPoolsConfig.Explicit(List.of(MemoryPoolConfig.sliced(MemorySize.ofMiB(1))));

  @Test
  void segmentsLiveAsLongAsTheArenaThatIsGiven() {
    try (HostStorage storage = HostStorage.open();
        MemoryManager manager = MemoryManager.open(storage, PAGES_OF_1_MIB)) {
      SegmentAllocator allocator;
      try (Arena lifetime = Arena.ofConfined()) {
        allocator = PooledAllocator.of(manager, lifetime);
        MemorySegment segment = allocator.allocateFrom(ValueLayout.JAVA_LONG, 1, 2, 3);
        assertThat(segment.scope()).isEqualTo(lifetime.scope());
        assertThat(manager.usage().allocations()).isEqualTo(1);
      }
      assertThat(manager.usage().allocations()).isZero();
      assertThatIllegalStateException().isThrownBy(() -> allocator.allocate(8));
      assertThat(manager.report().pools().getFirst().served()).isEqualTo(1);
    }
  }

  @Test
  void aPooledSegmentIsCutUpByTheJdksAllocators() {
    try (HostStorage storage = HostStorage.open();
        MemoryManager manager = MemoryManager.open(storage, PAGES_OF_1_MIB)) {
      try (Arena lifetime = PooledArena.ofConfined(manager)) {
        SegmentAllocator slices = SegmentAllocator.slicingAllocator(lifetime.allocate(4096));
        MemorySegment first = slices.allocateFrom("first");
        MemorySegment second = slices.allocateFrom("second");
        assertThat(first.getString(0)).isEqualTo("first");
        assertThat(second.getString(0)).isEqualTo("second");
        assertThat(PooledAllocator.of(manager, lifetime).allocate(10).scope())
            .isEqualTo(lifetime.scope());
        assertThat(manager.usage().allocations()).isEqualTo(2);
      }
      assertThat(manager.usage().allocations()).isZero();
    }
  }

  @Test
  void memoryIsNotZeroed() {
    try (HostStorage storage = HostStorage.open();
        MemoryManager manager = MemoryManager.open(storage, PAGES_OF_1_MIB)) {
      try (Arena arena = PooledArena.ofConfined(manager)) {
        arena.allocate(64).fill((byte) 9);
      }
      try (Arena arena = PooledArena.ofConfined(manager)) {
        assertThat(arena.allocate(64).get(ValueLayout.JAVA_BYTE, 63)).isEqualTo((byte) 9);
      }
    }
  }
}
