package io.cistern.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cistern.DeviceMemoryException;
import io.cistern.DeviceMemoryException.Reason;
import io.cistern.MemorySize;
import io.cistern.ffi.ErrorCode;
import io.cistern.storage.StorageOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Memory for which something was refused goes back, and the storage stays as it was. */
class AdvisedPagesTest {

  private final List<Long> out = new ArrayList<>();
  private final List<Long> asked = new ArrayList<>();
  private boolean refuse;

  /** The system's pages, with account of those that are out. */
  private final PageSource counted =
      new PageSource() {
        private final PageSource pages = PageSource.ofSystem();

        @Override
        public long pageByteSize() {
          return pages.pageByteSize();
        }

        @Override
        public MemorySegment reserve(long byteSize, long byteAlignment, Arena arena)
            throws OsRefusal {
          MemorySegment segment = pages.reserve(byteSize, byteAlignment, arena);
          out.add(segment.address());
          return segment;
        }

        @Override
        public void giveBack(long address, long byteSize) throws OsRefusal {
          pages.giveBack(address, byteSize);
          assertThat(out.remove(address)).isTrue();
        }
      };

  private void advise(long address, long byteSize) throws OsRefusal {
    asked.add(byteSize);
    if (refuse) {
      throw OsRefusal.of("mlock", byteSize, new ErrorCode("EAGAIN", 11));
    }
  }

  @Test
  void whatIsRefusedGoesBack() {
    PageSource pages = new AdvisedPages(counted, List.of(this::advise));
    try (HostStorage storage = HostStorage.open(StorageOptions.DEFAULT, pages)) {
      HostBlock before = storage.allocate(1);
      refuse = true;
      for (int time = 0; time < 100; time++) {
        assertThatExceptionOfType(DeviceMemoryException.class)
            .isThrownBy(() -> storage.allocate(5000))
            .returns(Reason.OUT_OF_MEMORY, DeviceMemoryException::reason)
            .returns(5000L, DeviceMemoryException::byteSize)
            .withMessageContaining("gives EAGAIN (11)");
      }
      assertThat(out).containsExactly(before.address());
      assertThat(storage.allocated()).isEqualTo(MemorySize.of(1));
      refuse = false;
      storage.free(storage.allocate(5000));
      storage.free(before);
    }
    assertThat(out).isEmpty();
  }

  @Test
  void whatFailsUnexpectedlyGoesBackToo() {
    PageAdvice broken =
        (address, byteSize) -> {
          throw new IllegalStateException("broken");
        };
    PageSource pages = new AdvisedPages(counted, List.of(this::advise, broken));
    try (HostStorage storage = HostStorage.open(StorageOptions.DEFAULT, pages)) {
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(() -> storage.allocate(5000))
          .withMessage("broken");
      assertThat(out).isEmpty();
      assertThat(storage.allocated()).isEqualTo(MemorySize.ZERO);
    }
  }

  /** The last page of the system's is advised, and nothing behind it, whatever the alignment. */
  @Test
  void wholePagesAreAdvised() {
    PageAdvice wide =
        new PageAdvice() {
          @Override
          public long pageByteSize() {
            return 1 << 20;
          }

          @Override
          public void apply(long address, long byteSize) {
            assertThat(address % (1 << 20)).isZero();
          }
        };
    PageSource pages = new AdvisedPages(counted, List.of(this::advise, wide));
    long page = counted.pageByteSize();
    assertThat(pages.pageByteSize()).isEqualTo(1 << 20);
    try (HostStorage storage = HostStorage.open(StorageOptions.DEFAULT, pages)) {
      storage.allocate(1);
      storage.allocate(page);
      storage.allocate(page + 1);
    }
    assertThat(asked).containsExactly(page, page, 2 * page);
  }
}
