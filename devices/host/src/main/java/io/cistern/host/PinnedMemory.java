package io.cistern.host;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.cistern.ffi.Errno;
import io.cistern.ffi.NativeLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.util.OptionalLong;

/** Locks memory, which makes it real. Unmapping unlocks it. */
final class PinnedMemory implements PageAdvice {

  private final LinuxFiles files;
  private final LockLimit limit;
  private final MethodHandle lock;

  PinnedMemory(HostSystem system) {
    files = system.files();
    limit = new LockLimit(system);
    lock =
        NativeLibrary.system()
            .require(
                "mlock", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG), Errno.capture());
  }

  @Override
  public void apply(long address, long byteSize) throws OsRefusal {
    try {
      OsCall.on("mlock", byteSize, state -> (int) lock.invokeExact(state, address, byteSize));
    } catch (OsRefusal e) {
      throw new OsRefusal(e.getMessage() + "; " + limits(), e);
    }
  }

  private String limits() {
    OptionalLong most = limit.byteSize();
    OptionalLong locked = files.lockedByteSize();
    return "the process may lock "
        + (most.isPresent() ? most.getAsLong() + " bytes" : "without limit")
        + " (RLIMIT_MEMLOCK)"
        + (locked.isPresent() ? ", and " + locked.getAsLong() + " bytes are locked" : "");
  }
}
