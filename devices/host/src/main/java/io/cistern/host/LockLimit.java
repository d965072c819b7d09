package io.cistern.host;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.cistern.ffi.Errno;
import io.cistern.ffi.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.OptionalLong;

/** How much this process may lock into memory; others may change that while it runs. */
final class LockLimit {

  private static final int LINUX_RESOURCE = 8;
  private static final int MACOS_RESOURCE = 6;

  private final int resource;
  private final MethodHandle getLimit;

  LockLimit(HostSystem system) {
    resource = system.isMacOs() ? MACOS_RESOURCE : LINUX_RESOURCE;
    getLimit =
        NativeLibrary.system()
            .require(
                "getrlimit", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG), Errno.capture());
  }

  /** The limit in bytes; empty if there is none, or it is not known. */
  OptionalLong byteSize() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment limits = arena.allocate(JAVA_LONG, 2);
      long address = limits.address();
      OsCall.on(
          "getrlimit",
          limits.byteSize(),
          state -> (int) getLimit.invokeExact(state, resource, address));
      long soft = limits.get(JAVA_LONG, 0);
      // No limit is all bits on Linux, and all but the sign on macOS.
      return soft < 0 || soft == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(soft);
    } catch (OsRefusal e) {
      return OptionalLong.empty();
    }
  }
}
