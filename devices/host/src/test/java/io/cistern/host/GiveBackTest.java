package io.cistern.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cistern.DeviceMemoryException;
import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.ffi.ErrorCode;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.MemoryEvent;
import io.cistern.storage.StorageOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A page goes back when nobody uses it, and never under somebody who does. */
class GiveBackTest {

  private static final MemoryPoolsConfig PAGES_OF_1_MIB =
      new MemoryPoolsConfig.Explicit(List.of(MemoryPoolConfig.sliced(MemorySize.ofMiB(1))));

  @Test
  void aSegmentThatIsKeptEndsWithThePageAndNotWithTheSlice() {
    try (HostStorage storage = HostStorage.open();
        MemoryManager manager = MemoryManager.open(storage, PAGES_OF_1_MIB)) {
      MemorySegment kept;
      try (Allocation allocation = manager.allocate(100)) {
        kept = allocation.segment();
        kept.set(ValueLayout.JAVA_BYTE, 0, (byte) 7);
      }
      assertThat(kept.byteSize()).isEqualTo(100);
      assertThat(kept.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 7);
      assertThat(manager.trim()).isEqualTo(MemorySize.ofMiB(1));
      assertThatIllegalStateException().isThrownBy(() -> kept.get(ValueLayout.JAVA_BYTE, 0));
    }
  }

  @Test
  void aPageInANativeCallStaysInItsPoolAndGoesBackLater() throws Exception {
    List<MemoryEvent> events = new ArrayList<>();
    try (HostStorage storage = HostStorage.open();
        MemoryManager manager =
            MemoryManager.builder(storage).pools(PAGES_OF_1_MIB).listener(events::add).open();
        ExecutorService thread = Executors.newSingleThreadExecutor()) {
      MemorySegment kept;
      try (Allocation allocation = manager.allocate(100)) {
        kept = allocation.segment();
      }
      CountDownLatch inside = new CountDownLatch(1);
      CountDownLatch tried = new CountDownLatch(1);
      Future<?> call =
          thread.submit(
              () ->
                  NativeCall.with(
                      kept,
                      () -> {
                        inside.countDown();
                        await(tried);
                      }));
      inside.await();
      assertThat(manager.trim()).isEqualTo(MemorySize.ZERO);
      assertThat(manager.usage().reserved()).isEqualTo(MemorySize.ofMiB(1));
      assertThat(kept.scope().isAlive()).isTrue();
      tried.countDown();
      call.get();
      assertThat(events).hasAtLeastOneElementOfType(MemoryEvent.PageKept.class);
      try (Allocation again = manager.allocate(100)) {
        again.segment().fill((byte) 1);
      }
      assertThat(manager.trim()).isEqualTo(MemorySize.ofMiB(1));
      assertThat(storage.allocated()).isEqualTo(MemorySize.ZERO);
      assertThat(kept.scope().isAlive()).isFalse();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aBlockInANativeCallStaysValidAlsoBeyondTheClose() {
    for (PageSource pages : new PageSource[] {PageSource.ofSystem(), new ArenaPages()}) {
      HostStorage storage = HostStorage.open(StorageOptions.DEFAULT, pages);
      HostBlock used = storage.allocate(4096);
      HostBlock other = storage.allocate(4096);
      MemorySegment segment = used.segment();
      NativeCall.with(
          segment,
          () -> {
            assertThatExceptionOfType(DeviceMemoryException.class)
                .isThrownBy(() -> storage.free(used))
                .withMessageContaining("host block of 4096 bytes")
                .withMessageContaining("accessed");
            segment.fill((byte) 1);
            storage.close();
            segment.fill((byte) 2);
          });
      assertThat(other.segment().scope().isAlive()).isFalse();
      assertThat(segment.get(ValueLayout.JAVA_BYTE, 4095)).isEqualTo((byte) 2);
      assertThat(storage.allocated()).isEqualTo(MemorySize.of(4096));
      storage.close();
      assertThat(storage.allocated()).isEqualTo(MemorySize.ZERO);
      assertThat(segment.scope().isAlive()).isFalse();
      assertThatIllegalArgumentException().isThrownBy(() -> storage.free(used));
    }
  }

  @Test
  void memoryThatTheSystemDoesNotTakeGetsAnotherScope() {
    StubbornPages pages = new StubbornPages();
    try (HostStorage storage = HostStorage.open(StorageOptions.DEFAULT, pages)) {
      HostBlock block = storage.allocate(4096);
      MemorySegment first = block.segment();
      first.fill((byte) 5);
      pages.stubborn = true;
      assertThatExceptionOfType(DeviceMemoryException.class)
          .isThrownBy(() -> storage.free(block))
          .withMessageContaining("munmap of 4096 bytes gives ENOMEM (12)");
      assertThatIllegalStateException().isThrownBy(() -> first.get(ValueLayout.JAVA_BYTE, 0));
      assertThat(block.segment().get(ValueLayout.JAVA_BYTE, 4095)).isEqualTo((byte) 5);
      assertThat(block.segment().byteSize()).isEqualTo(4096);
      assertThat(storage.allocated()).isEqualTo(MemorySize.of(4096));
      pages.stubborn = false;
      MemorySegment second = block.segment();
      storage.free(block);
      assertThat(second.scope().isAlive()).isFalse();
      assertThat(storage.allocated()).isEqualTo(MemorySize.ZERO);
    }
  }

  /** The system's pages, which it does not take back for a while. */
  private static final class StubbornPages implements PageSource {
    private final PageSource pages = PageSource.ofSystem();
    private boolean stubborn;

    @Override
    public long pageByteSize() {
      return pages.pageByteSize();
    }

    @Override
    public MemorySegment reserve(long byteSize, long byteAlignment, Arena arena) throws OsRefusal {
      return pages.reserve(byteSize, byteAlignment, arena);
    }

    @Override
    public void giveBack(long address, long byteSize) throws OsRefusal {
      if (stubborn) {
        throw OsRefusal.of("munmap", byteSize, new ErrorCode("ENOMEM", 12));
      }
      pages.giveBack(address, byteSize);
    }
  }
}
