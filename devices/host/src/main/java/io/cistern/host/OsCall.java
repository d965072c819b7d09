package io.cistern.host;

import io.cistern.ffi.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Calls of the C library on a range of memory that return -1 and leave a code when they fail. */
final class OsCall {

  private static final long FAILED = -1;

  private OsCall() {}

  /** The call itself, with room for its code as first argument. */
  @FunctionalInterface
  interface Body {
    long invoke(MemorySegment state) throws Throwable;
  }

  /**
   * Makes a call.
   *
   * @param call its name, for messages
   * @param byteSize the size of the range in bytes, for messages
   * @return what it returned
   * @throws OsRefusal if it failed
   */
  static long on(String call, long byteSize, Body body) throws OsRefusal {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = Errno.newState(arena);
      long result = invoke(call, body, state);
      if (result == FAILED) {
        throw OsRefusal.of(call, byteSize, Errno.in(state));
      }
      return result;
    }
  }

  private static long invoke(String call, Body body, MemorySegment state) {
    try {
      return body.invoke(state);
    } catch (Throwable e) {
      throw HostErrors.unexpected(call, e);
    }
  }
}
