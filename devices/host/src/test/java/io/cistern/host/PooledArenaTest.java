package io.cistern.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cistern.DeviceMemoryException;
import io.cistern.MemorySize;
import io.cistern.OutOfDeviceMemoryException;
import io.cistern.SizeNotAcceptedException;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.CountingStorage;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageOptions;
import io.cistern.testkit.BytesStorage;
import io.cistern.testkit.Patterns;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A pooled arena does what the JDK's does, kind by kind, and its memory comes from the pools. */
@ParameterizedClass
@EnumSource
class PooledArenaTest {

  private static final MemoryPoolsConfig PAGES_OF_1_MIB =
      new MemoryPoolsConfig.Explicit(List.of(MemoryPoolConfig.sliced(MemorySize.ofMiB(1))));

  enum Kind {
    CONFINED,
    SHARED;

    Arena open(MemoryManager manager) {
      return switch (this) {
        case CONFINED -> PooledArena.ofConfined(manager);
        case SHARED -> PooledArena.ofShared(manager);
      };
    }
  }

  @Parameter Kind kind;

  private HostStorage storage;
  private MemoryManager manager;

  @BeforeEach
  void open() {
    storage = HostStorage.open(StorageOptions.DEFAULT.withCapacity(MemorySize.ofMiB(4)));
    manager = MemoryManager.open(storage, PAGES_OF_1_MIB);
  }

  @AfterEach
  void close() {
    manager.close();
    storage.close();
    assertThat(storage.allocated()).isEqualTo(MemorySize.ZERO);
  }

  @Test
  void allSlicesGoBackTogether() {
    try (Arena arena = kind.open(manager)) {
      for (int i = 1; i <= 100; i++) {
        MemorySegment segment = arena.allocate(i * 10L);
        assertThat(segment.byteSize()).isEqualTo(i * 10L);
        assertThat(segment.scope()).isEqualTo(arena.scope());
        Patterns.write(segment, i);
      }
      assertThat(manager.usage().allocations()).isEqualTo(100);
      assertThat(manager.usage().inUse()).isEqualTo(MemorySize.of(50_500));
    }
    assertThat(manager.usage().allocations()).isZero();
    assertThat(manager.usage().reserved()).isEqualTo(MemorySize.ofMiB(1));
  }

  @Test
  void aStaleViewThrowsThoughThePageLivesOn() {
    Arena arena = kind.open(manager);
    MemorySegment stale = arena.allocate(64);
    arena.close();
    assertThat(arena.scope().isAlive()).isFalse();
    assertThatIllegalStateException().isThrownBy(() -> stale.get(ValueLayout.JAVA_BYTE, 0));
    try (Arena next = kind.open(manager)) {
      assertThat(next.allocate(64).address()).isEqualTo(stale.address());
      assertThatIllegalStateException().isThrownBy(() -> stale.fill((byte) 1));
    }
  }

  @Test
  void segmentsAreBoundedAlignedAndApart() {
    try (Arena arena = kind.open(manager)) {
      List<MemorySegment> segments = new ArrayList<>();
      long largest = storage.properties().blockAlignment();
      for (long alignment = 1; alignment <= largest; alignment *= 2) {
        MemorySegment segment = arena.allocate(100, alignment);
        assertThat(segment.address() % alignment).isZero();
        Patterns.write(segment, alignment);
        segments.add(segment);
      }
      for (int i = 0; i < segments.size(); i++) {
        Patterns.verify(segments.get(i), 1L << i);
        for (int j = 0; j < i; j++) {
          assertThat(segments.get(i).asOverlappingSlice(segments.get(j))).isEmpty();
        }
      }
    }
  }

  @Test
  void theDefaultMethodsOfArenasWork() {
    try (Arena arena = kind.open(manager)) {
      assertThat(arena.allocateFrom("words").getString(0)).isEqualTo("words");
      assertThat(arena.allocateFrom(ValueLayout.JAVA_INT, 1, 2, 3).toArray(ValueLayout.JAVA_INT))
          .containsExactly(1, 2, 3);
      assertThat(arena.allocate(ValueLayout.JAVA_LONG, 5).byteSize()).isEqualTo(40);
    }
  }

  @Test
  void emptySegmentsTakeNothing() {
    Arena arena = kind.open(manager);
    MemorySegment empty = arena.allocate(0, 64);
    assertThat(empty.byteSize()).isZero();
    assertThat(empty.address()).isNotZero();
    assertThat(empty.address() % 64).isZero();
    assertThat(empty.scope()).isEqualTo(arena.scope());
    assertThat(manager.usage().allocations()).isZero();
    arena.close();
    assertThat(empty.scope().isAlive()).isFalse();
    assertThatIllegalStateException().isThrownBy(() -> arena.allocate(0));
  }

  @Test
  void badArgumentsAreRefusedAsByTheJdk() {
    try (Arena arena = kind.open(manager);
        Arena jdk = Arena.ofConfined()) {
      for (long[] bad : new long[][] {{-1, 1}, {Long.MIN_VALUE, 1}, {1, 0}, {1, -8}, {1, 3}}) {
        assertThatIllegalArgumentException().isThrownBy(() -> jdk.allocate(bad[0], bad[1]));
        assertThatIllegalArgumentException()
            .isThrownBy(() -> arena.allocate(bad[0], bad[1]))
            .withMessageContaining(String.valueOf(bad[1] == 1 ? bad[0] : bad[1]));
      }
      long largest = storage.properties().blockAlignment();
      for (long byteSize : new long[] {0, 1}) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> arena.allocate(byteSize, largest * 2))
            .withMessageContaining(String.valueOf(largest))
            .withMessageContaining(String.valueOf(largest * 2));
      }
    }
  }

  @Test
  void exhaustionIsAnOutOfMemoryErrorThatTellsWhy() {
    try (Arena arena = kind.open(manager)) {
      assertThatExceptionOfType(OutOfMemoryError.class)
          .isThrownBy(() -> arena.allocate(MemorySize.ofMiB(1).bytes() + 1))
          .withCauseInstanceOf(SizeNotAcceptedException.class);
      for (int page = 0; page < 4; page++) {
        arena.allocate(MemorySize.ofMiB(1).bytes());
      }
      assertThatExceptionOfType(OutOfMemoryError.class)
          .isThrownBy(() -> arena.allocate(1))
          .withCauseInstanceOf(OutOfDeviceMemoryException.class)
          .withMessageContaining("asked for 1 bytes");
      assertThat(manager.usage().allocations()).isEqualTo(4);
    }
  }

  @Test
  void aClosedArenaIsClosed() {
    Arena arena = kind.open(manager);
    arena.allocate(1);
    arena.close();
    assertThatIllegalStateException().isThrownBy(arena::close);
    assertThatIllegalStateException().isThrownBy(() -> arena.allocate(1));
    assertThat(manager.usage().allocations()).isZero();
    assertThat(manager.report().pools().getFirst().served()).isEqualTo(1);
  }

  @Test
  void aCloseDuringANativeCallChangesNothing() {
    Arena arena = kind.open(manager);
    MemorySegment segment = arena.allocate(100);
    NativeCall.with(
        segment,
        () -> {
          assertThatIllegalStateException().isThrownBy(arena::close);
          segment.fill((byte) 3);
          assertThat(manager.usage().allocations()).isEqualTo(1);
          arena.allocate(1);
        });
    arena.close();
    assertThat(manager.usage().allocations()).isZero();
  }

  @Test
  void threadsAreLetInByTheKind() throws Exception {
    Arena arena = kind.open(manager);
    MemorySegment segment = arena.allocate(100);
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<?> use = thread.submit(() -> segment.fill((byte) 1));
      Future<?> allocate = thread.submit(() -> arena.allocate(1));
      Future<?> allocateNone = thread.submit(() -> arena.allocate(0));
      Future<?> close = thread.submit(arena::close);
      for (Future<?> done : List.of(use, allocate, allocateNone, close)) {
        if (kind == Kind.SHARED) {
          done.get();
        } else {
          assertThatExceptionOfType(ExecutionException.class)
              .isThrownBy(done::get)
              .withCauseInstanceOf(WrongThreadException.class);
        }
      }
    }
    assertThat(arena.scope().isAlive()).isEqualTo(kind == Kind.CONFINED);
    if (kind == Kind.CONFINED) {
      assertThat(manager.usage().allocations()).isEqualTo(1);
      arena.close();
    }
    assertThat(manager.usage().allocations()).isZero();
  }

  @Test
  void segmentsOutliveTheirManagerAndStorage() {
    Arena arena = kind.open(manager);
    MemorySegment segment = arena.allocate(100);
    Patterns.write(segment, 1);
    manager.close();
    storage.close();
    Patterns.verify(segment, 1);
    assertThat(storage.allocated()).isEqualTo(MemorySize.ofMiB(1));
    assertThatIllegalStateException().isThrownBy(() -> arena.allocate(1));
    arena.close();
    assertThat(storage.allocated()).isEqualTo(MemorySize.ZERO);
  }

  @Test
  void aBlockWithSlicesInAnOpenArenaIsNotTakenBack() {
    try (Arena arena = kind.open(manager)) {
      MemorySegment segment = arena.allocate(100);
      HostBlock block;
      try (Allocation allocation = manager.allocate(1)) {
        block = allocation.block(HostBlock.class);
      }
      assertThatExceptionOfType(DeviceMemoryException.class)
          .isThrownBy(() -> storage.free(block))
          .withMessageEndingWith("back: slices of it in open arenas: 1");
      segment.fill((byte) 1);
      assertThat(block.segment().scope().isAlive()).isTrue();
    }
    assertThat(manager.trim()).isEqualTo(MemorySize.ofMiB(1));
  }

  @Test
  void managersOfOtherDevicesAreRefused() {
    try (Storage simulated = SimulatedStorage.withCapacity(MemorySize.ofMiB(8));
        MemoryManager other = MemoryManager.open(simulated, PAGES_OF_1_MIB)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> kind.open(other))
          .withMessageContaining("simulated device");
    }
    try (Storage bytes = BytesStorage.of(64, 64);
        MemoryManager other = MemoryManager.open(bytes, PAGES_OF_1_MIB);
        Arena arena = kind.open(other)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> arena.allocate(1))
          .withMessageContaining("HostBlock");
      assertThat(other.usage().allocations()).isZero();
    }
    try (MemoryManager adapted = MemoryManager.open(new CountingStorage(storage), PAGES_OF_1_MIB);
        Arena arena = kind.open(adapted)) {
      assertThat(arena.allocate(1).byteSize()).isOne();
    }
  }

  @Test
  void manyThreadsHaveArenasOfTheirOwn() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Callable<Void>> work = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        int number = thread;
        work.add(() -> cycle(number));
      }
      for (Future<Void> done : threads.invokeAll(work)) {
        done.get();
      }
    }
    assertThat(manager.usage().allocations()).isZero();
    assertThat(manager.usage().inUse()).isEqualTo(MemorySize.ZERO);
  }

  private Void cycle(int thread) {
    for (int round = 0; round < 50; round++) {
      try (Arena arena = kind.open(manager)) {
        List<MemorySegment> segments = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          segments.add(arena.allocate(1 + (i * 37 + round) % 2000));
          Patterns.write(segments.get(i), thread * 100_000L + i);
        }
        for (int i = 0; i < 20; i++) {
          Patterns.verify(segments.get(i), thread * 100_000L + i);
        }
      }
    }
    return null;
  }
}
