package io.cistern.host;

/** Asks for huge pages wherever the system has some at hand. */
final class TransparentHugePages implements PageAdvice {

  private final MemoryAdvice advice = new MemoryAdvice();
  private final long hugePageByteSize;

  TransparentHugePages(HostSystem system) {
    String when = system.files().transparentHugePages();
    if (when.isEmpty() || when.contains("[never]")) {
      throw HostErrors.noTransparentHugePages(when);
    }
    hugePageByteSize =
        system
            .files()
            .transparentHugePageByteSize()
            .orElseThrow(() -> HostErrors.noHugePageSize("/" + LinuxFiles.TRANSPARENT_SIZE));
  }

  @Override
  public long pageByteSize() {
    return hugePageByteSize;
  }

  @Override
  public void apply(long address, long byteSize) throws OsRefusal {
    advice.hugePages(address, byteSize);
  }
}
