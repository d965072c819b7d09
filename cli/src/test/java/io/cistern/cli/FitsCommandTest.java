package io.cistern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FitsCommandTest {

  private static final String TRACE =
      Path.of("..", "traces", "cpu-pt-dcgan-train.csv.gz").toString();

  @TempDir private Path folder;

  private static Ran fits(String memory, String... options) {
    String[] arguments = new String[options.length + 4];
    arguments[0] = "fits";
    arguments[1] = TRACE;
    arguments[2] = "--device-memory";
    arguments[3] = memory;
    System.arraycopy(options, 0, arguments, 4, options.length);
    return Ran.here(arguments);
  }

  @Test
  void itTellsWhereTheTraceFitsAndWritesTheLayout() {
    Path output = folder.resolve("out.toml");
    Ran ran = fits("100MiB", "-o", output.toString());
    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .contains("device  simulated, 100 MiB, alignment 256 B\n")
        .contains("fits                 yes  on ", "lower bound     67.2 MiB  70,434,304 bytes\n")
        .contains("\nroom ", "\nsmallest ", "\nsub-slices ", "\nequal pages ")
        .endsWith("wrote   " + output + "\n");
    Ran replayed =
        Ran.here("compare", TRACE, "--capacity", "100MiB", "--layout", output.toString());
    assertThat(replayed.code()).isZero();
  }

  @Test
  void whatDoesNotFitSaysWhyAndWritesNothing() {
    Path output = folder.resolve("out.toml");
    Ran ran = fits("100MiB", "--layout", "sub-slices", "-o", output.toString());
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).contains("fits                  no  on none of these layouts\n");
    assertThat(ran.err().lines())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith("cistern: sub-slices: ")
                    .contains(" refused, the first at " + TRACE + ":"),
            line ->
                assertThat(line)
                    .isEqualTo("cistern: " + output + " is not written: the trace does not fit"));
    assertThat(output).doesNotExist();
  }

  @Test
  void belowTheLowerBoundNothingCanFit() {
    Ran ran = fits("64MiB", "--json");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).contains("\"fits\" : false", "\"lowerBound\" : 70434304");
    assertThat(ran.err())
        .isEqualTo("cistern: no layout can fit: 70434304 bytes are live at once, of 67108864\n");
  }
}
