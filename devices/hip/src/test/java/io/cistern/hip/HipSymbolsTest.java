package io.cistern.hip;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.gpu.driver.GpuCall;
import io.cistern.gpu.driver.GpuDriver;
import io.cistern.gpu.testkit.EnabledWithCompiler;
import io.cistern.gpu.testkit.FakeDriver;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A library is looked through once, and the table is whole. */
@EnabledWithCompiler
class HipSymbolsTest {

  private static final FakeDriver FAKE = FakeDriver.of(FakeDriver.Kind.HIP);

  @BeforeEach
  void theFakeDriver() {
    System.setProperty(FakeDriver.Kind.HIP.property(), FAKE.library().toString());
  }

  @AfterEach
  void noDriver() {
    System.clearProperty(FakeDriver.Kind.HIP.property());
  }

  @Test
  void aLibraryIsLookedThroughOnce() {
    assertThat(GpuDriver.load(Hip.DIALECT)).isSameAs(GpuDriver.load(Hip.DIALECT));
  }

  @Test
  void everyFunctionHasANameButThoseOfCuda() {
    Set<GpuCall> unnamed = EnumSet.allOf(GpuCall.class);
    unnamed.removeAll(Hip.DIALECT.symbols().keySet());
    assertThat(unnamed)
        .containsExactly(
            GpuCall.ERROR_NAME,
            GpuCall.CONTEXT_RETAIN,
            GpuCall.CONTEXT_RELEASE,
            GpuCall.CONTEXT_PUSH,
            GpuCall.CONTEXT_POP);
    GpuDriver driver = GpuDriver.load(Hip.DIALECT);
    assertThat(Hip.DIALECT.symbols().keySet()).allMatch(driver::has);
  }

  @Test
  void versionsAreWrittenAsTheDriverMeansThem() {
    assertThat(Hip.version(60241134)).isEqualTo("6.2.41134");
    assertThat(Hip.version(70000000)).isEqualTo("7.0.0");
  }
}
