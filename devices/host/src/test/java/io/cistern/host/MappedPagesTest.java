package io.cistern.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cistern.MemorySize;
import io.cistern.storage.StorageOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledIf("isSupported")
class MappedPagesTest {

  private static final long GIB = 1L << 30;

  static boolean isSupported() {
    return MappedPages.isSupported();
  }

  /** One cycle that leaves a page behind, or a gap of the alignment, adds up to GiBs here. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void exactlyWhatWasReservedGoesBack() {
    StorageOptions options =
        StorageOptions.DEFAULT.withByteAlignment(GIB).withCapacity(MemorySize.ofGiB(4));
    try (HostStorage storage = HostStorage.open(options, new MappedPages())) {
      long before = ProcessMemory.statusByteSize("VmSize");
      for (int cycle = 0; cycle < 50; cycle++) {
        HostBlock block = storage.allocate(300L << 20);
        assertThat(block.address() % GIB).isZero();
        assertThat(ProcessMemory.statusByteSize("VmSize") - before).isBetween(300L << 20, GIB);
        storage.free(block);
      }
      assertThat(ProcessMemory.statusByteSize("VmSize") - before).isLessThan(GIB);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aBlockIsUnmappedToItsLastPage() throws IOException {
    try (HostStorage storage =
        HostStorage.open(StorageOptions.DEFAULT.withByteAlignment(1 << 20), new MappedPages())) {
      HostBlock block = storage.allocate(5 * 4096 + 1);
      long last = block.address() + 5 * 4096;
      assertThat(isMapped(block.address())).isTrue();
      assertThat(isMapped(last)).isTrue();
      storage.free(block);
      assertThat(isMapped(block.address())).isFalse();
      assertThat(isMapped(last)).isFalse();
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void nothingIsTouchedBeforeItIsUsed() {
    try (HostStorage storage = HostStorage.open()) {
      long before = ProcessMemory.statusByteSize("VmRSS");
      HostBlock block = storage.allocate(storage.properties().maxPageSize().bytes());
      block.segment().set(ValueLayout.JAVA_BYTE, block.byteSize() - 1, (byte) 1);
      assertThat(ProcessMemory.statusByteSize("VmRSS") - before).isLessThan(block.byteSize() / 2);
    }
  }

  @Test
  void theSystemsErrorHasNameAndNumber() {
    try (Arena arena = Arena.ofShared()) {
      assertThatExceptionOfType(OsRefusal.class)
          .isThrownBy(() -> new MappedPages().reserve(1L << 62, 4096, arena))
          .withMessage("mmap of 4611686018427387904 bytes gives ENOMEM (12)");
      assertThatExceptionOfType(OsRefusal.class)
          .isThrownBy(() -> new MappedPages().giveBack(1, 4096))
          .withMessage("munmap of 4096 bytes gives EINVAL (22)");
    }
  }

  @Test
  void sizesThatWouldWrapAreRefused() {
    for (PageSource pages : new PageSource[] {new MappedPages(), new ArenaPages()}) {
      try (Arena arena = Arena.ofShared()) {
        for (long byteSize : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 4096}) {
          assertThatExceptionOfType(OsRefusal.class)
              .isThrownBy(() -> pages.reserve(byteSize, 1 << 20, arena));
        }
        assertThatExceptionOfType(OsRefusal.class)
            .isThrownBy(() -> pages.reserve(4096, 1L << 62, arena));
      }
    }
  }

  private static boolean isMapped(long address) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/maps")).stream()
        .map(line -> line.split("[- ]", 3))
        .anyMatch(
            range ->
                Long.compareUnsigned(Long.parseUnsignedLong(range[0], 16), address) <= 0
                    && Long.compareUnsigned(address, Long.parseUnsignedLong(range[1], 16)) < 0);
  }
}
