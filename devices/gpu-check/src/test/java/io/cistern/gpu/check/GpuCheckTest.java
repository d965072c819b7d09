package io.cistern.gpu.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.gpu.testkit.EnabledWithCompiler;
import io.cistern.gpu.testkit.FakeDriver;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The check finds a good device good and a bad one bad, on the fake driver. */
@EnabledWithCompiler
class GpuCheckTest {

  @TempDir Path traces;

  @BeforeEach
  void oneSmallTrace() throws Exception {
    for (FakeDriver.Kind kind : FakeDriver.Kind.values()) {
      System.setProperty(kind.property(), FakeDriver.of(kind).library().toString());
    }
    Files.copy(
        Path.of("..", "..", "traces", "cpu-pt-dcgan-train.csv.gz"), traces.resolve("one.csv.gz"));
  }

  @AfterEach
  void noDriver() {
    for (FakeDriver.Kind kind : FakeDriver.Kind.values()) {
      System.clearProperty(kind.property());
      FakeDriver.of(kind).recover();
    }
  }

  private String run(FakeDriver.Kind kind, int index, boolean expected) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (PrintStream text = new PrintStream(out, true, StandardCharsets.UTF_8);
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream())) {
      assertThat(GpuCheck.check(kind.device(), index, traces, text, nowhere, false))
          .as(() -> out.toString(StandardCharsets.UTF_8))
          .isEqualTo(expected);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource
  void aGoodDeviceIsGood(FakeDriver.Kind kind) throws Exception {
    String found = run(kind, 1, true);
    assertThat(found)
        .contains("\"good\" : true", "\"device\" : \"Fake GPU 1\"", "\"trace\" : \"one.csv.gz\"")
        .contains("\"memory\" : \"managed\"", "\"mismatches\" : 0", "\"errors\" : [ ]")
        .doesNotContain("\"passed\" : 0");
    assertThat(FakeDriver.of(kind).live()).isEmpty();
  }

  @Test
  void aDeviceWithoutGraphsIsToldInTheErrors() throws Exception {
    System.setProperty(
        FakeDriver.Kind.CUDA.property(),
        FakeDriver.of(FakeDriver.Kind.CUDA, "WITHOUT_GRAPHS").library().toString());
    assertThat(run(FakeDriver.Kind.CUDA, 0, false))
        .contains("\"good\" : false", "has no function cuStreamBeginCapture_v2");
  }

  @Test
  void aDeviceThatIsNotThereIsToldWithTheReason() throws Exception {
    assertThat(run(FakeDriver.Kind.CUDA, 7, false)).contains("found of this kind: 2");
    FakeDriver.of(FakeDriver.Kind.CUDA).fail("cuInit", 0, 100);
    assertThat(run(FakeDriver.Kind.CUDA, 0, false))
        .contains("cuInit gives CUDA_ERROR_NO_DEVICE (100)");
  }
}
