package io.cistern.ffi;

import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import java.util.Locale;
import java.util.Map;

/**
 * The C library's error number, kept from the call that set it.
 *
 * <p>A function looked up with {@link #capture} takes a {@linkplain #newState state} as its first
 * argument and leaves its {@code errno} there; the JVM's own calls would overwrite the thread's.
 * Safe for many threads, each with a state of its own.
 */
public final class Errno {

  private static final String FIELD = "errno";
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle NUMBER =
      STATE.varHandle(MemoryLayout.PathElement.groupElement(FIELD));

  // Codes that calls on memory and files give. Up to 34 the systems agree, but for one.
  private static final Map<Integer, String> COMMON =
      Map.ofEntries(
          Map.entry(1, "EPERM"),
          Map.entry(2, "ENOENT"),
          Map.entry(4, "EINTR"),
          Map.entry(5, "EIO"),
          Map.entry(6, "ENXIO"),
          Map.entry(9, "EBADF"),
          Map.entry(12, "ENOMEM"),
          Map.entry(13, "EACCES"),
          Map.entry(14, "EFAULT"),
          Map.entry(16, "EBUSY"),
          Map.entry(17, "EEXIST"),
          Map.entry(19, "ENODEV"),
          Map.entry(22, "EINVAL"),
          Map.entry(23, "ENFILE"),
          Map.entry(24, "EMFILE"),
          Map.entry(28, "ENOSPC"));
  private static final Map<Integer, String> LINUX =
      Map.of(11, "EAGAIN", 38, "ENOSYS", 75, "EOVERFLOW", 95, "EOPNOTSUPP");
  private static final Map<Integer, String> MACOS =
      Map.of(35, "EAGAIN", 45, "ENOTSUP", 78, "ENOSYS", 84, "EOVERFLOW");

  private Errno() {}

  /** The option that makes a function keep its {@code errno}. */
  public static Linker.Option capture() {
    return Linker.Option.captureCallState(FIELD);
  }

  /**
   * Room for what a call leaves.
   *
   * @param allocator gives the memory, and with it how long the state lives
   */
  public static MemorySegment newState(SegmentAllocator allocator) {
    return allocator.allocate(STATE);
  }

  /**
   * The code that the last call left in a state; meaningful only if that call failed.
   *
   * @param state from {@link #newState}
   */
  public static ErrorCode in(MemorySegment state) {
    return code((int) NUMBER.get(state, 0L), System.getProperty("os.name"));
  }

  /** The code of a number on a system; {@code errno} stands for a name that is not known. */
  static ErrorCode code(int number, String system) {
    Map<Integer, String> own = system.toLowerCase(Locale.ROOT).startsWith("mac") ? MACOS : LINUX;
    return new ErrorCode(COMMON.getOrDefault(number, own.getOrDefault(number, "errno")), number);
  }
}
