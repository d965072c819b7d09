package io.cistern.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class NativeLibraryTest {

  private static final FunctionDescriptor INT_TO_INT =
      FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);

  @Test
  void aFunctionOfTheCLibraryIsCalled() throws Throwable {
    MethodHandle abs = NativeLibrary.system().require("abs", INT_TO_INT);
    assertThat((int) abs.invokeExact(-7)).isEqualTo(7);
  }

  @Test
  void anAbsentFunctionIsEmptyOrNamedWithItsLibrary() {
    NativeLibrary system = NativeLibrary.system();
    assertThat(system.find("cistern_has_no_such_function", INT_TO_INT)).isEmpty();
    assertThatExceptionOfType(NativeLookupException.class)
        .isThrownBy(() -> system.require("cistern_has_no_such_function", INT_TO_INT))
        .withMessage("the C library has no function cistern_has_no_such_function");
  }

  @Test
  void anAbsentLibraryIsNamed() {
    assertThatExceptionOfType(NativeLookupException.class)
        .isThrownBy(() -> NativeLibrary.open("libcistern-has-no-such-library.so.1"))
        .withMessageContaining("libcistern-has-no-such-library.so.1");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aLibraryIsLoadedByName() throws Throwable {
    NativeLibrary math = NativeLibrary.open("libm.so.6");
    MethodHandle floor =
        math.require(
            "floor", FunctionDescriptor.of(ValueLayout.JAVA_DOUBLE, ValueLayout.JAVA_DOUBLE));
    assertThat((double) floor.invokeExact(2.5)).isEqualTo(2.0);
    assertThat(math).hasToString("libm.so.6").returns("libm.so.6", NativeLibrary::name);
  }
}
