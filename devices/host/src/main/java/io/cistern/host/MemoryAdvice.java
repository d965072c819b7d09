package io.cistern.host;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.cistern.ffi.Errno;
import io.cistern.ffi.NativeLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/** The call {@code madvise} of Linux. */
final class MemoryAdvice {

  private static final int HUGE_PAGE = 14;
  private static final int POPULATE_WRITE = 23;

  private final MethodHandle advise =
      NativeLibrary.system()
          .require(
              "madvise",
              FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT),
              Errno.capture());

  /** Asks for huge pages. */
  void hugePages(long address, long byteSize) throws OsRefusal {
    advise("MADV_HUGEPAGE", HUGE_PAGE, address, byteSize);
  }

  /** Makes memory real, as a write to each page would; Linux 5.14 and later know it. */
  void populate(long address, long byteSize) throws OsRefusal {
    advise("MADV_POPULATE_WRITE", POPULATE_WRITE, address, byteSize);
  }

  /** Whether this Linux has {@link #populate}; it refuses what it does not know for no bytes. */
  boolean canPopulate() {
    try {
      populate(0, 0);
      return true;
    } catch (OsRefusal e) {
      return false;
    }
  }

  private void advise(String name, int number, long address, long byteSize) throws OsRefusal {
    OsCall.on(
        "madvise(" + name + ")",
        byteSize,
        state -> (int) advise.invokeExact(state, address, byteSize, number));
  }
}
