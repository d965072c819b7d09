package io.cistern.host;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Huge pages that were set aside: mapping takes them, so that touching can't fail any more. */
final class ExplicitHugePages implements PageSource {

  private final LinuxFiles files;
  private final PageSource pages;

  ExplicitHugePages(HostSystem system) {
    files = system.files();
    long configured = files.hugePages().orElse(0);
    if (configured == 0) {
      throw HostErrors.noExplicitHugePages();
    }
    pages =
        MappedPages.ofHugePages(
            files
                .hugePageByteSize()
                .orElseThrow(
                    () -> HostErrors.noHugePageSize("Hugepagesize in /" + LinuxFiles.MEMORY)));
  }

  @Override
  public long pageByteSize() {
    return pages.pageByteSize();
  }

  @Override
  public MemorySegment reserve(long byteSize, long byteAlignment, Arena arena) throws OsRefusal {
    try {
      return pages.reserve(byteSize, byteAlignment, arena);
    } catch (OsRefusal e) {
      throw new OsRefusal(
          e.getMessage()
              + "; huge pages of "
              + pageByteSize()
              + " bytes that are free: "
              + files.freeHugePages().orElse(0)
              + " (vm.nr_hugepages)",
          e);
    }
  }

  @Override
  public void giveBack(long address, long byteSize) throws OsRefusal {
    pages.giveBack(address, byteSize);
  }
}
