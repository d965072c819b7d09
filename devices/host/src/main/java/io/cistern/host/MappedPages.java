package io.cistern.host;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.cistern.ffi.Errno;
import io.cistern.ffi.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import java.util.Set;

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
  private static final long FAILED = -1;

  /** The flags below are those of these processors; others number them differently. */
  private static final Set<String> PROCESSORS = Set.of("amd64", "x86_64", "aarch64", "riscv64");

  private final int flags;
  private final MethodHandle map;
  private final MethodHandle unmap;
  private final long pageByteSize;

  MappedPages() {
    NativeLibrary system = NativeLibrary.system();
    flags = PRIVATE | (isMacOs() ? macOsFlags() : linuxFlags());
    map =
        system.require(
            "mmap",
            FunctionDescriptor.of(
                ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG),
            Errno.capture());
    unmap =
        system.require(
            "munmap", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG), Errno.capture());
    pageByteSize = askPageByteSize(system.require("getpagesize", FunctionDescriptor.of(JAVA_INT)));
  }

  /** Whether this system is one whose flags are known. */
  static boolean isSupported() {
    return PROCESSORS.contains(System.getProperty("os.arch")) && (isMacOs() || isLinux());
  }

  private static boolean isMacOs() {
    return System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("mac");
  }

  private static boolean isLinux() {
    return System.getProperty("os.name").equals("Linux");
  }

  /** MAP_ANONYMOUS, and MAP_NORESERVE: no swap is set aside for what may never be touched. */
  private static int linuxFlags() {
    return 0x20 | 0x4000;
  }

  /** MAP_ANON. */
  private static int macOsFlags() {
    return 0x1000;
  }

  private static long askPageByteSize(MethodHandle getPageSize) {
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
    try (Arena call = Arena.ofConfined()) {
      MemorySegment state = Errno.newState(call);
      MemorySegment start =
          (MemorySegment)
              map.invokeExact(state, MemorySegment.NULL, length, READ_AND_WRITE, flags, -1, 0L);
      if (start.address() == FAILED) {
        throw OsRefusal.of("mmap", length, Errno.in(state));
      }
      return start.address();
    } catch (OsRefusal e) {
      throw e;
    } catch (Throwable e) {
      throw HostErrors.unexpected("mmap", e);
    }
  }

  private void unmapIfAny(long start, long length) throws OsRefusal {
    if (length > 0) {
      unmap(start, length);
    }
  }

  private void unmap(long start, long length) throws OsRefusal {
    try (Arena call = Arena.ofConfined()) {
      MemorySegment state = Errno.newState(call);
      int result = (int) unmap.invokeExact(state, MemorySegment.ofAddress(start), length);
      if (result != 0) {
        throw OsRefusal.of("munmap", length, Errno.in(state));
      }
    } catch (OsRefusal e) {
      throw e;
    } catch (Throwable e) {
      throw HostErrors.unexpected("munmap", e);
    }
  }

  private static long roundUp(long number, long powerOfTwo) {
    return (number + powerOfTwo - 1) & -powerOfTwo;
  }
}
