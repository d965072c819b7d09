package io.cistern.host;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.cistern.ffi.Errno;
import io.cistern.ffi.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Anonymous private mappings: address space that costs memory only where it is touched, and reads
 * as zero there at first.
 *
 * <p>An alignment above the system's page is had by mapping more and unmapping what stands before
 * and behind, so that exactly a block's own pages remain, and go back in one call.
 */
final class MappedPages implements PageSource {

  private static final int READ_AND_WRITE = 0x1 | 0x2;
  private static final int PRIVATE = 0x2;
  private static final int MACOS_ANONYMOUS = 0x1000;
  private static final int LINUX_ANONYMOUS = 0x20;

  /** No swap is set aside for what may never be touched. */
  private static final int LINUX_NO_RESERVE = 0x4000;

  private static final int LINUX_HUGE = 0x40000;
  private static final int LINUX_HUGE_SIZE_SHIFT = 26;

  private final int flags;
  private final MethodHandle map;
  private final MethodHandle unmap;
  private final long pageByteSize;

  private MappedPages(int flags, long pageByteSize) {
    NativeLibrary system = NativeLibrary.system();
    this.flags = PRIVATE | flags;
    this.pageByteSize = pageByteSize;
    map =
        system.require(
            "mmap",
            FunctionDescriptor.of(
                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG),
            Errno.capture());
    unmap =
        system.require(
            "munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG), Errno.capture());
  }

  /** Mappings of the system's own pages. */
  MappedPages() {
    this(
        HostSystem.current().isMacOs() ? MACOS_ANONYMOUS : LINUX_ANONYMOUS | LINUX_NO_RESERVE,
        askPageByteSize());
  }

  /**
   * Mappings of huge pages that Linux has set aside. They are reserved when they are mapped: what
   * is not would end the process where it is touched.
   */
  static MappedPages ofHugePages(long pageByteSize) {
    int sizeCode = Long.numberOfTrailingZeros(pageByteSize) << LINUX_HUGE_SIZE_SHIFT;
    return new MappedPages(LINUX_ANONYMOUS | LINUX_HUGE | sizeCode, pageByteSize);
  }

  /** Whether this system is one whose flags are known. */
  static boolean isSupported() {
    return isSupported(HostSystem.current());
  }

  static boolean isSupported(HostSystem system) {
    return system.isMacOs() || system.isLinux();
  }

  private static long askPageByteSize() {
    MethodHandle getPageSize =
        NativeLibrary.system().require("getpagesize", FunctionDescriptor.of(JAVA_INT));
    try {
      return (int) getPageSize.invokeExact();
    } catch (Throwable e) {
      throw HostErrors.unexpected("getpagesize", e);
    }
  }

  @Override
  public long pageByteSize() {
    return pageByteSize;
  }

  @Override
  @SuppressWarnings("restricted") // The range is ours: it was mapped just now.
  public MemorySegment reserve(long byteSize, long byteAlignment, Arena arena) throws OsRefusal {
    long spare = Math.max(byteAlignment, pageByteSize) - pageByteSize;
    if (byteSize > Long.MAX_VALUE - spare - pageByteSize) {
      throw new OsRefusal(byteSize + " bytes at " + byteAlignment + " leave the address space");
    }
    long length = roundUp(byteSize, pageByteSize);
    long base = mapAligned(length, spare, byteAlignment);
    return MemorySegment.ofAddress(base).reinterpret(byteSize, arena, null);
  }

  private long mapAligned(long length, long spare, long byteAlignment) throws OsRefusal {
    long start = map(length + spare);
    long base = roundUp(start, Math.max(byteAlignment, pageByteSize));
    long before = base - start;
    try {
      unmapIfAny(start, before);
      unmapIfAny(base + length, spare - before);
    } catch (OsRefusal e) {
      // A range with a hole is unmapped like a whole one.
      unmap(start, length + spare);
      throw e;
    }
    return base;
  }

  @Override
  public void giveBack(long address, long byteSize) throws OsRefusal {
    unmap(address, roundUp(byteSize, pageByteSize));
  }

  private long map(long length) throws OsRefusal {
    return OsCall.on(
        "mmap",
        length,
        state -> (long) map.invokeExact(state, 0L, length, READ_AND_WRITE, flags, -1, 0L));
  }

  private void unmapIfAny(long start, long length) throws OsRefusal {
    if (length > 0) {
      unmap(start, length);
    }
  }

  private void unmap(long start, long length) throws OsRefusal {
    OsCall.on("munmap", length, state -> (int) unmap.invokeExact(state, start, length));
  }

  static long roundUp(long number, long powerOfTwo) {
    return (number + powerOfTwo - 1) & -powerOfTwo;
  }
}
