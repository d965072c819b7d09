package io.cistern.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cistern.DeviceMemoryException;
import io.cistern.DeviceMemoryException.Reason;
import io.cistern.MemorySize;
import io.cistern.host.HostMemoryOptions.HugePages;
import io.cistern.storage.StorageOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** What a system lacks is said when the storage is opened; systems are told by files of theirs. */
class HostSystemTest {

  private static final HostMemoryOptions DEFAULT = HostMemoryOptions.DEFAULT;

  @TempDir Path root;

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private HostSystem system(String name, String processor) {
    return new HostSystem(name, processor, new LinuxFiles(root));
  }

  private HostSystem linux() {
    return system("Linux", "amd64");
  }

  private void assertRefused(HostMemoryOptions wanted, HostSystem system, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageSources.of(wanted, system))
        .withMessage(message);
  }

  @Test
  void macOsPinsAndTouchesAndRefusesTheRestByName() {
    HostSystem mac = system("Mac OS X", "aarch64");
    assertRefused(
        DEFAULT.withHugePages(HugePages.TRANSPARENT),
        mac,
        "the setting \"huge-pages\" needs Linux, this is Mac OS X on aarch64");
    assertRefused(
        DEFAULT.withNumaNode(0),
        mac,
        "the setting \"numa-node\" needs Linux, this is Mac OS X on aarch64");
    assertThat(TouchedMemory.of(mac, 16_384)).isInstanceOf(TouchedMemory.class);
  }

  @Test
  void otherSystemsTouchAndRefuseTheRestByName() {
    for (HostSystem other :
        List.of(system("Windows 11", "amd64"), system("Linux", "s390x"), system("AIX", "ppc64"))) {
      assertThat(PageSources.of(DEFAULT.withPreTouch(true), other)).isInstanceOf(ArenaPages.class);
      assertRefused(
          DEFAULT.withPinned(true),
          other,
          "the setting \"pinned\" needs Linux or macOS, this is " + other);
      assertRefused(
          DEFAULT.withHugePages(HugePages.EXPLICIT),
          other,
          "the setting \"huge-pages\" needs Linux, this is " + other);
      assertRefused(
          DEFAULT.withNumaNode(0),
          other,
          "the setting \"numa-node\" needs Linux, this is " + other);
      assertThat(HostLimits.of(other)).containsEntry("page-bytes", 4096L);
    }
  }

  @Test
  void aLinuxWithoutTransparentHugePagesSaysSo() throws IOException {
    HostMemoryOptions wanted = DEFAULT.withHugePages(HugePages.TRANSPARENT);
    String file = "/sys/kernel/mm/transparent_hugepage/";
    assertRefusedByLinux(
        wanted, "there are no transparent huge pages: " + file + "enabled is not there");
    write(LinuxFiles.TRANSPARENT, "always madvise [never]\n");
    assertRefusedByLinux(
        wanted,
        "there are no transparent huge pages: " + file + "enabled is always madvise [never]");
    write(LinuxFiles.TRANSPARENT, "always [madvise] never\n");
    assertRefusedByLinux(
        wanted,
        "the size of this system's huge pages is not known: there is no "
            + file
            + "hpage_pmd_size");
  }

  private void assertRefusedByLinux(HostMemoryOptions wanted, String message) {
    if (Here.isLinux()) {
      assertRefused(wanted, linux(), message);
    }
  }

  @Test
  void aLinuxWithoutExplicitHugePagesSaysSo() throws IOException {
    HostMemoryOptions wanted = DEFAULT.withHugePages(HugePages.EXPLICIT);
    String none = "no explicit huge pages are set aside: /proc/sys/vm/nr_hugepages is 0 or absent";
    assertRefused(wanted, linux(), none);
    write(LinuxFiles.NR_HUGE_PAGES, "0\n");
    assertRefused(wanted, linux(), none);
    write("proc/sys/vm/nr_overcommit_hugepages", "3\n");
    assertRefused(
        wanted,
        linux(),
        "the size of this system's huge pages is not known:"
            + " there is no Hugepagesize in /proc/meminfo");
  }

  @Test
  void aNodeThatIsNotThereIsRefused() throws IOException {
    assertRefusedByLinux(
        DEFAULT.withNumaNode(0),
        "there is no NUMA node 0 with memory: /sys/devices/system/node names none");
    write("sys/devices/system/node/online", "0-3\n");
    assertThat(linux().files().nodes()).containsExactly(0, 1, 2, 3);
    write("sys/devices/system/node/has_memory", "0-1,3\n");
    assertRefusedByLinux(
        DEFAULT.withNumaNode(2), "there is no NUMA node 2 with memory: only 0, 1, 3");
  }

  /** The files name a node that the running system has not: its own refusal is what is said. */
  @Test
  @EnabledIf("io.cistern.host.Here#isLinux")
  void aPreferenceThatTheSystemDoesNotTakeIsRefusedAtOpen() throws IOException {
    write("sys/devices/system/node/has_memory", "60000\n");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                PageSources.of(
                    DEFAULT.withNumaNode(60_000),
                    new HostSystem(
                        "Linux", HostSystem.current().processor(), new LinuxFiles(root))))
        .withMessageMatching(
            "memory of NUMA node 60000 can't be preferred here:"
                + " mbind of 0 bytes gives (EINVAL \\(22\\)|EPERM \\(1\\)|ENOSYS \\(38\\))");
  }

  /** The running kernel has no huge pages free, whatever these files say. */
  @Test
  @EnabledIf(
      value = "io.cistern.host.Here#lacksExplicitHugePages",
      disabledReason = "explicit huge pages are set aside here")
  void explicitHugePagesThatRunOutAreAnErrorOfTheBlock() throws IOException {
    write(LinuxFiles.NR_HUGE_PAGES, "8\n");
    write("proc/meminfo", "Hugepagesize: 2048 kB\nHugePages_Free: 5\nHugePages_Rsvd: 5\n");
    PageSource pages = PageSources.of(DEFAULT.withHugePages(HugePages.EXPLICIT), linux());
    try (HostStorage storage = HostStorage.open(StorageOptions.DEFAULT, pages)) {
      assertThat(storage.properties().blockAlignment()).isEqualTo(2 << 20);
      assertThatExceptionOfType(DeviceMemoryException.class)
          .isThrownBy(() -> storage.allocate((2 << 20) + 1))
          .returns(Reason.OUT_OF_MEMORY, DeviceMemoryException::reason)
          .withMessageEndingWith(
              "; mmap of 4194304 bytes gives ENOMEM (12);"
                  + " huge pages of 2097152 bytes that are free: 0 (vm.nr_hugepages)");
      assertThat(storage.allocated()).isEqualTo(MemorySize.ZERO);
    }
  }

  @Test
  @EnabledIf("io.cistern.host.Here#isLinux")
  void memoryThatTheMachineHasNotGotIsNotTouched() throws IOException {
    write("proc/meminfo", "MemTotal: 2000 kB\nMemAvailable: 1000 kB\n");
    for (HostMemoryOptions wanted : List.of(DEFAULT.withPreTouch(true), DEFAULT.withPinned(true))) {
      PageSource pages = PageSources.of(wanted, linux());
      try (HostStorage storage = HostStorage.open(StorageOptions.DEFAULT, pages)) {
        assertThatExceptionOfType(DeviceMemoryException.class)
            .isThrownBy(() -> storage.allocate(1 << 20))
            .returns(Reason.OUT_OF_MEMORY, DeviceMemoryException::reason)
            .withMessageEndingWith(
                "; 1048576 bytes of real memory are wanted,"
                    + " the system has 1024000 bytes available");
        assertThat(storage.allocated()).isEqualTo(MemorySize.ZERO);
      }
    }
  }

  @Test
  void limitsAreThoseThatAreKnown() throws IOException {
    Map<String, Long> bare = HostLimits.of(linux());
    assertThat(bare).containsKey("page-bytes").doesNotContainKeys("huge-page-bytes", "huge-pages");
    write("proc/meminfo", "Hugepagesize:       2048 kB\n");
    write(LinuxFiles.NR_HUGE_PAGES, "7\n");
    write("sys/devices/system/node/online", "0-1\n");
    write("proc/self/status", "CapEff:\t0000000000004000\n");
    assertThat(HostLimits.of(linux()))
        .containsEntry("huge-page-bytes", 2L << 20)
        .containsEntry("huge-pages", 7L)
        .containsEntry("numa-nodes", 2L)
        .doesNotContainKey("lockable-bytes");
  }
}
