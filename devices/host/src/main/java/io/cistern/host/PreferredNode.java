package io.cistern.host;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.cistern.ffi.Errno;
import io.cistern.ffi.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;

/**
 * Takes memory from one NUMA node while that has some. The C library has no function for it, and
 * the library that has one is often absent, so Linux is called by number.
 */
final class PreferredNode implements PageAdvice {

  private static final long PREFERRED = 1;
  private static final long NO_FLAGS = 0;

  private final long callNumber;
  private final MethodHandle systemCall;
  private final int node;

  /**
   * Makes the preference.
   *
   * @throws IllegalArgumentException if there is no such node, or the system takes no preference
   */
  PreferredNode(HostSystem system, int node) {
    List<Integer> nodes = system.files().nodes();
    if (!nodes.contains(node)) {
      throw HostErrors.noNode(node, nodes);
    }
    this.node = node;
    callNumber = system.isX86() ? 237 : 235;
    systemCall = find();
    try {
      // For no memory Linux checks the call alone.
      apply(0, 0);
    } catch (OsRefusal e) {
      throw HostErrors.noNodePreference(node, e);
    }
  }

  private static MethodHandle find() {
    FunctionDescriptor type =
        FunctionDescriptor.of(
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    return NativeLibrary.system()
        .require("syscall", type, Errno.capture(), Linker.Option.firstVariadicArg(1));
  }

  @Override
  public void apply(long address, long byteSize) throws OsRefusal {
    try (Arena arena = Arena.ofConfined()) {
      int words = node / Long.SIZE + 1;
      MemorySegment nodes = arena.allocate(JAVA_LONG, words);
      nodes.setAtIndex(JAVA_LONG, words - 1, 1L << node % Long.SIZE);
      long mask = nodes.address();
      // Linux looks at one bit less than it is told of.
      long bits = (long) words * Long.SIZE + 1;
      OsCall.on(
          "mbind",
          byteSize,
          state ->
              (long)
                  systemCall.invokeExact(
                      state, callNumber, address, byteSize, PREFERRED, mask, bits, NO_FLAGS));
    }
  }
}
