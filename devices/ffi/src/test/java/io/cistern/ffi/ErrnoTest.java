package io.cistern.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrnoTest {

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "its C library has no close")
  void aFailedCallLeavesItsErrorInTheState() throws Throwable {
    MethodHandle close =
        NativeLibrary.system()
            .require(
                "close",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
                Errno.capture());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = Errno.newState(arena);
      assertThat((int) close.invokeExact(state, -1)).isEqualTo(-1);
      assertThat(Errno.in(state)).isEqualTo(new ErrorCode("EBADF", 9)).hasToString("EBADF (9)");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "12, Linux, ENOMEM",
    "12, Mac OS X, ENOMEM",
    "11, Linux, EAGAIN",
    "35, Mac OS X, EAGAIN",
    "75, Linux, EOVERFLOW",
    "84, Mac OS X, EOVERFLOW",
    "4711, Linux, errno"
  })
  void codesHaveTheirSystemsNames(int number, String system, String name) {
    assertThat(Errno.code(number, system)).isEqualTo(new ErrorCode(name, number));
  }
}
