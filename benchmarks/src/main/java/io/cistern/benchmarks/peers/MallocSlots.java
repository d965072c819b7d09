package io.cistern.benchmarks.peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * Addresses that a {@code malloc} gave.
 *
 * <p>A method handle is only fast where it is a constant, so each library has a hidden copy of this
 * class, whose constants are the library's functions.
 */
final class MallocSlots extends Slots {

  private static final MethodHandle MALLOC = function(0);
  private static final MethodHandle FREE = function(1);

  private final long[] addresses;

  MallocSlots(int count) {
    this.addresses = new long[count];
  }

  private static MethodHandle function(int index) {
    try {
      return MethodHandles.classDataAt(MethodHandles.lookup(), "_", MethodHandle.class, index);
    } catch (IllegalAccessException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** A copy of this class for a library. */
  static IntFunction<Slots> of(MethodHandle malloc, MethodHandle free) {
    MethodHandles.Lookup here = MethodHandles.lookup();
    try (InputStream bytes = MallocSlots.class.getResourceAsStream("MallocSlots.class")) {
      MethodHandles.Lookup copy =
          here.defineHiddenClassWithClassData(
              Objects.requireNonNull(bytes).readAllBytes(), List.of(malloc, free), true);
      MethodHandle make =
          copy.findConstructor(copy.lookupClass(), MethodType.methodType(void.class, int.class))
              .asType(MethodType.methodType(Slots.class, int.class));
      return count -> make(make, count);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Slots make(MethodHandle make, int count) {
    try {
      return (Slots) make.invokeExact(count);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void allocate(int slot, long byteSize) {
    try {
      addresses[slot] = (long) MALLOC.invokeExact(byteSize);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void free(int slot) {
    try {
      FREE.invokeExact(addresses[slot]);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
