package io.cistern.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cistern.DeviceMemoryException;
import io.cistern.MemorySize;
import io.cistern.ffi.ErrorCode;
import io.cistern.storage.DeviceInfo;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Feature;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageOptions;
import io.cistern.storage.StorageProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostStorageTest {

  private static final StorageOptions DEFAULT = StorageOptions.DEFAULT;

  @Test
  void theProviderIsFoundAndOpensTheDevice() {
    HostStorageTest.class.getModule().addUses(StorageProvider.class);
    StorageProvider provider =
        ServiceLoader.load(StorageProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(found -> found.name().equals("host"))
            .findFirst()
            .orElseThrow();
    try (Storage storage = provider.open(DEFAULT)) {
      assertThat(storage).isInstanceOf(HostStorage.class);
      assertThat(provider.devices().devices())
          .extracting(DeviceInfo::properties)
          .containsExactly(storage.properties());
    }
  }

  @Test
  void theDeviceIsTheMachinesMemory() {
    try (HostStorage storage = HostStorage.open()) {
      DeviceProperties device = storage.properties();
      assertThat(device.name()).isEqualTo("host memory");
      assertThat(device.total()).isGreaterThan(MemorySize.ofMiB(64));
      assertThat(device.maxPageSize().bytes()).isEqualTo(device.total().bytes() / 4);
      assertThat(device.byteAlignment()).isEqualTo(256);
      assertThat(device.blockAlignment()).isGreaterThanOrEqualTo(4096);
      assertThat(device.features())
          .containsExactlyInAnyOrder(
              Feature.HOST_ACCESS, Feature.COPY, Feature.ADDRESS, Feature.LENDING);
    }
  }

  @Test
  void optionsChangeTheDevice() {
    StorageOptions options =
        DEFAULT
            .withByteAlignment(64)
            .withCapacity(MemorySize.ofMiB(8))
            .withMaxPageSize(MemorySize.ofMiB(1));
    try (HostStorage storage = HostStorage.open(options)) {
      DeviceProperties device = storage.properties();
      assertThat(device.byteAlignment()).isEqualTo(64);
      assertThat(device.total()).isEqualTo(MemorySize.ofMiB(8));
      assertThat(device.maxPageSize()).isEqualTo(MemorySize.ofMiB(1));
    }
    try (HostStorage storage = HostStorage.open(DEFAULT.withCapacity(MemorySize.MAX));
        HostStorage machine = HostStorage.open()) {
      assertThat(storage.properties()).isEqualTo(machine.properties());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -64, 0, 1, 32, 48, 63, 65, 96, 257})
  void anAlignmentThatCanNotBeIsRefused(long byteAlignment) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostStorage.open(DEFAULT.withByteAlignment(byteAlignment)))
        .withMessageContaining("64 bytes")
        .withMessageContaining(String.valueOf(byteAlignment));
  }

  @Test
  void anotherIndexIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostStorage.open(DEFAULT.withIndex(1)))
        .withMessage("there is no device host:1, only host:0");
  }

  @ParameterizedTest
  @ValueSource(longs = {64, 256, 4096, 16_384, 65_536, 262_144, 1_048_576})
  void blocksAreAlignedAsAsked(long byteAlignment) {
    StorageOptions options = DEFAULT.withByteAlignment(byteAlignment);
    for (PageSource pages : new PageSource[] {PageSource.ofSystem(), new ArenaPages()}) {
      try (HostStorage storage = HostStorage.open(options, pages)) {
        assertThat(storage.properties().blockAlignment())
            .isEqualTo(Math.max(byteAlignment, pages.pageByteSize()));
        for (long byteSize = 1; byteSize < 100_000; byteSize = byteSize * 3 + 1) {
          HostBlock block = storage.allocate(byteSize);
          assertThat(block.address() % storage.properties().blockAlignment()).isZero();
          block.segment().fill((byte) 1);
        }
      }
    }
  }

  @Test
  void theCapacityIsForAllBlocksTogether() {
    try (HostStorage storage = HostStorage.open(DEFAULT.withCapacity(MemorySize.of(10_000)))) {
      HostBlock first = storage.allocate(6_000);
      assertThatExceptionOfType(DeviceMemoryException.class)
          .isThrownBy(() -> storage.allocate(4_001))
          .withMessage(
              "device \"host memory\" is out of memory: asked for 4001 bytes,"
                  + " of 10000 bytes 6000 are out");
      HostBlock second = storage.allocate(4_000);
      assertThat(storage.allocated()).isEqualTo(MemorySize.of(10_000));
      storage.free(first);
      storage.free(second);
      storage.allocate(10_000);
    }
  }

  @Test
  void theSystemsRefusalIsNamedAndNumbered() {
    PageSource poor =
        new PageSource() {
          @Override
          public long pageByteSize() {
            return 4096;
          }

          @Override
          public MemorySegment reserve(long byteSize, long byteAlignment, Arena arena)
              throws OsRefusal {
            throw OsRefusal.of("mmap", byteSize, new ErrorCode("ENOMEM", 12));
          }

          @Override
          public void giveBack(long address, long byteSize) {
            throw new AssertionError("nothing was given");
          }
        };
    try (HostStorage storage = HostStorage.open(DEFAULT.withCapacity(MemorySize.ofMiB(1)), poor)) {
      assertThatExceptionOfType(DeviceMemoryException.class)
          .isThrownBy(() -> storage.allocate(4096))
          .withMessage(
              "device \"host memory\" is out of memory: asked for 4096 bytes,"
                  + " of 1048576 bytes 0 are out; mmap of 4096 bytes gives ENOMEM (12)")
          .returns(4096L, DeviceMemoryException::byteSize);
      assertThat(storage.allocated()).isEqualTo(MemorySize.ZERO);
    }
  }

  @Test
  void aBlockSaysWhatItIs() {
    try (HostStorage storage = HostStorage.open()) {
      HostBlock block = storage.allocate(100);
      assertThat(block)
          .hasToString("host block of 100 bytes at 0x" + Long.toHexString(block.address()));
    }
  }
}
