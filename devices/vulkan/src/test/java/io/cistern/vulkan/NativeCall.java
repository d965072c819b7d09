package io.cistern.vulkan;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A native call that has a segment for as long as a test wants: a sort whose comparison is Java.
 */
final class NativeCall {

  private static final FunctionDescriptor COMPARISON =
      FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
  private static final FunctionDescriptor SORT =
      FunctionDescriptor.ofVoid(
          ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS);

  private NativeCall() {}

  @FunctionalInterface
  interface Comparison {
    int compare(MemorySegment left, MemorySegment right);
  }

  /**
   * Runs an action while a native call has a segment.
   *
   * @param segment 2 bytes or more
   */
  static void with(MemorySegment segment, Runnable action) {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    sort(
        segment,
        (left, right) -> {
          try {
            action.run();
          } catch (Throwable e) {
            // Thrown from here it would end the JVM.
            thrown.set(e);
          }
          return 0;
        });
    if (thrown.get() != null) {
      throw new AssertionError(thrown.get());
    }
  }

  @SuppressWarnings("restricted")
  private static void sort(MemorySegment segment, Comparison comparison) {
    try (Arena arena = Arena.ofConfined()) {
      MethodHandle compare =
          MethodHandles.lookup()
              .findVirtual(Comparison.class, "compare", COMPARISON.toMethodType())
              .bindTo(comparison);
      MemorySegment stub = Linker.nativeLinker().upcallStub(compare, COMPARISON, arena);
      MemorySegment qsort = Linker.nativeLinker().defaultLookup().findOrThrow("qsort");
      Linker.nativeLinker().downcallHandle(qsort, SORT).invokeExact(segment, 2L, 1L, stub);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
