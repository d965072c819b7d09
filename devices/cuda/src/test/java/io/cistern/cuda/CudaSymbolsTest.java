package io.cistern.cuda;

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
class CudaSymbolsTest {

  private static final FakeDriver FAKE = FakeDriver.of(FakeDriver.Kind.CUDA);

  @BeforeEach
  void theFakeDriver() {
    System.setProperty(FakeDriver.Kind.CUDA.property(), FAKE.library().toString());
  }

  @AfterEach
  void noDriver() {
    System.clearProperty(FakeDriver.Kind.CUDA.property());
  }

  @Test
  void aLibraryIsLookedThroughOnce() {
    assertThat(GpuDriver.load(Cuda.DIALECT)).isSameAs(GpuDriver.load(Cuda.DIALECT));
  }

  @Test
  void everyFunctionHasANameButThoseOfHip() {
    Set<GpuCall> unnamed = EnumSet.allOf(GpuCall.class);
    unnamed.removeAll(Cuda.DIALECT.symbols().keySet());
    assertThat(unnamed)
        .containsExactly(
            GpuCall.ERROR_NAME_RETURNED, GpuCall.DEVICE_CURRENT, GpuCall.DEVICE_SELECT);
    GpuDriver driver = GpuDriver.load(Cuda.DIALECT);
    assertThat(Cuda.DIALECT.symbols().keySet()).allMatch(driver::has);
  }

  @Test
  void versionsAreWrittenAsTheDriverMeansThem() {
    assertThat(Cuda.version(12040)).isEqualTo("12.4");
    assertThat(Cuda.version(11020)).isEqualTo("11.2");
  }
}
