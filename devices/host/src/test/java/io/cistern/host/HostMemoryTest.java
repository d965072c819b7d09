package io.cistern.host;

import static io.cistern.host.Here.MIB;
import static io.cistern.host.Here.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cistern.DeviceMemoryException;
import io.cistern.DeviceMemoryException.Reason;
import io.cistern.MemorySize;
import io.cistern.host.HostMemoryOptions.HugePages;
import io.cistern.storage.StorageOptions;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Each setting does to real memory what it says. */
class HostMemoryTest {

  private static final long BLOCK = 16 * MIB;

  @Test
  @EnabledOnOs(OS.LINUX)
  @EnabledIf(
      value = "io.cistern.host.Here#pins",
      disabledReason = "this process may not lock 64 MiB")
  void pinnedMemoryIsLockedUntilItGoesBack() {
    try (HostStorage storage = HostStorage.open(options("pinned", "true"))) {
      long before = ProcessMemory.statusByteSize("VmLck");
      HostBlock block = storage.allocate(BLOCK + 1);
      assertThat(ProcessMemory.statusByteSize("VmLck") - before).isEqualTo(BLOCK + 4096);
      assertThat(ProcessMemory.byteSize(ProcessMemory.mapping(block.address()), "Locked"))
          .isGreaterThanOrEqualTo(BLOCK);
      storage.free(block);
      assertThat(ProcessMemory.statusByteSize("VmLck")).isEqualTo(before);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void touchedMemoryIsRealBeforeItIsWritten() {
    try (HostStorage storage = HostStorage.open(options("pre-touch", "true"))) {
      HostBlock block = storage.allocate(BLOCK + 1);
      List<String> mapping = ProcessMemory.mapping(block.address());
      // The system may join the block's mapping with a neighbour of the JVM's that is not touched.
      assertThat(ProcessMemory.byteSize(mapping, "Rss")).isGreaterThanOrEqualTo(BLOCK + 4096);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void memoryIsTouchedPageByPageWhereNoCallDoesIt() {
    PageSource pages = new AdvisedPages(new MappedPages(), List.of(new TouchedMemory(4096)));
    try (HostStorage storage = HostStorage.open(StorageOptions.DEFAULT, pages)) {
      HostBlock block = storage.allocate(BLOCK + 1);
      List<String> mapping = ProcessMemory.mapping(block.address());
      assertThat(ProcessMemory.byteSize(mapping, "Rss")).isGreaterThanOrEqualTo(BLOCK + 4096);
      assertThat(block.segment().get(ValueLayout.JAVA_BYTE, BLOCK)).isZero();
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void thisLinuxTouchesByOneCallIfItIsNewEnough() {
    String[] version = System.getProperty("os.version").split("[^0-9]", 3);
    boolean newEnough = Integer.parseInt(version[0]) * 1000 + Integer.parseInt(version[1]) >= 5014;
    assertThat(new MemoryAdvice().canPopulate()).isEqualTo(newEnough);
  }

  @Test
  @EnabledIf(
      value = "io.cistern.host.Here#hasTransparentHugePages",
      disabledReason = "transparent huge pages are off or absent")
  void transparentHugePagesAreAskedForAndCome() {
    StorageOptions wanted = options("huge-pages", "transparent").withSetting("pre-touch", "true");
    try (HostStorage storage = HostStorage.open(wanted)) {
      long hugePage = storage.properties().blockAlignment();
      assertThat(hugePage)
          .isEqualTo(HostSystem.current().files().transparentHugePageByteSize().orElseThrow());
      HostBlock block = storage.allocate(8 * hugePage + 1);
      assertThat(block.address() % hugePage).isZero();
      List<String> mapping = ProcessMemory.mapping(block.address());
      assertThat(mapping.getLast()).matches("VmFlags:.* hg( .*)?");
      assertThat(ProcessMemory.byteSize(mapping, "AnonHugePages")).isPositive();
    }
  }

  @Test
  @EnabledIf(
      value = "io.cistern.host.Here#hasExplicitHugePages",
      disabledReason = "fewer than 64 MiB of explicit huge pages are free (vm.nr_hugepages)")
  void explicitHugePagesAreTakenWholeAndGoBack() {
    LinuxFiles files = HostSystem.current().files();
    long hugePage = files.hugePageByteSize().orElseThrow();
    try (HostStorage storage = HostStorage.open(options("huge-pages", "explicit"))) {
      assertThat(storage.properties().blockAlignment()).isEqualTo(hugePage);
      long before = files.freeHugePages().orElseThrow();
      HostBlock block = storage.allocate(hugePage + 1);
      assertThat(files.freeHugePages().orElseThrow()).isEqualTo(before - 2);
      List<String> mapping = ProcessMemory.mapping(block.address());
      assertThat(ProcessMemory.byteSize(mapping, "KernelPageSize")).isEqualTo(hugePage);
      block.segment().fill((byte) 1);
      assertThatExceptionOfType(DeviceMemoryException.class)
          .isThrownBy(() -> storage.allocate((before + 1) * hugePage))
          .returns(Reason.OUT_OF_MEMORY, DeviceMemoryException::reason)
          .withMessageContaining("ENOMEM (12); huge pages of " + hugePage + " bytes");
      storage.free(block);
      assertThat(files.freeHugePages().orElseThrow()).isEqualTo(before);
    }
  }

  @Test
  @EnabledIf(
      value = "io.cistern.host.Here#lacksExplicitHugePages",
      disabledReason = "explicit huge pages are set aside here")
  void explicitHugePagesThatNobodySetAsideAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostStorage.open(options("huge-pages", "explicit")))
        .withMessage(
            "no explicit huge pages are set aside: /proc/sys/vm/nr_hugepages is 0 or absent");
  }

  @Test
  @EnabledIf(
      value = "io.cistern.host.Here#prefersNodes",
      disabledReason = "the system takes no preference of NUMA nodes (mbind)")
  void aPreferredNodeIsKnownToTheSystem() {
    StorageOptions wanted = options("numa-node", "0").withSetting("pre-touch", "true");
    try (HostStorage storage = HostStorage.open(wanted)) {
      HostBlock block = storage.allocate(BLOCK);
      block.segment().fill((byte) 1);
      String start = Long.toHexString(block.address()) + " prefer";
      assertThat(ProcessMemory.lines("/proc/self/numa_maps"))
          .anyMatch(line -> line.startsWith(start) && line.matches(".* prefer[^:]*:0 .*"));
    }
  }

  @Test
  @EnabledIf("io.cistern.host.Here#isLinux")
  void aNodeThatIsNotThereIsRefusedNamingThoseThatAre() {
    List<Integer> nodes = HostSystem.current().files().nodes();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostStorage.open(options("numa-node", "99")))
        .withMessageContaining("there is no NUMA node 99 with memory: ")
        .withMessageContaining(nodes.isEmpty() ? "names none" : "only " + nodes.getFirst());
  }

  @Test
  @EnabledIf(
      value = "io.cistern.host.Here#pins",
      disabledReason = "this process may not lock 64 MiB")
  void allThatWorksTogetherWorks() {
    HostMemoryOptions memory = HostMemoryOptions.DEFAULT.withPinned(true).withPreTouch(true);
    if (Here.hasTransparentHugePages()) {
      memory = memory.withHugePages(HugePages.TRANSPARENT);
    }
    if (Here.prefersNodes()) {
      memory = memory.withNumaNode(0);
    }
    try (HostStorage storage = HostStorage.open(StorageOptions.DEFAULT, memory)) {
      HostBlock block = storage.allocate(BLOCK + 1);
      block.segment().fill((byte) 1);
      storage.free(block);
      assertThat(storage.allocated()).isEqualTo(MemorySize.ZERO);
    }
  }
}
