package io.cistern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.trace.picture.Curves;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CurveTextTest {

  private static Curves rising(int rows) {
    Curves curves = new Curves();
    for (int i = 1; i <= rows; i++) {
      long reserved = i <= rows / 2 ? 512 * 1024 : 1024 * 1024;
      curves.add(0, 1024L * 1024 * i / rows, 0, reserved, reserved, -1);
    }
    return curves;
  }

  @Test
  void inAscii() {
    assertThat(CurveText.of(rising(1000), new CurveText.Style(51, true, false)))
        .isEqualTo(
            """
               1 MiB |                    .............#######
                     |                    ......##############
                     |                    ####################
                     |.............###########################
                     |......##################################
                     |########################################
                 0 B +----------------------------------------
                      # in use  . reserved     1000 operations
            """);
  }

  @Test
  void inBlocks() {
    assertThat(CurveText.of(rising(1000), new CurveText.Style(31, false, false)))
        .startsWith("   1 MiB \u2502          \u2591\u2591\u2591\u2591\u2591\u2591")
        .contains("\u2588\n", "\u2514\u2500", "\u2582");
  }

  /** A peak of one row in a hundred thousand shows. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 49_999, 77_777, 99_999})
  void aPeakIsNeverLost(int where) {
    Curves curves = new Curves();
    for (int i = 0; i < 100_000; i++) {
      curves.add(0, i == where ? 1000 : 1, 0, 1000, 1000, -1);
    }
    String text = CurveText.of(curves, new CurveText.Style(80, true, false));
    assertThat(text.lines().findFirst().orElseThrow()).containsOnlyOnce("#");
  }

  @ParameterizedTest
  @CsvSource({"20, true", "40, false", "55, true", "80, false", "81, true", "300, false"})
  void noLineIsAsWideAsTheTerminal(int width, boolean ascii) {
    for (int rows : new int[] {1, 2, 79, 4096, 10_000}) {
      String text = CurveText.of(rising(rows), new CurveText.Style(width, ascii, false));
      assertThat(text.lines()).allSatisfy(line -> assertThat(line.length()).isLessThan(width));
    }
  }

  @Test
  void coloursEndWithTheirLine() {
    String plain = CurveText.of(rising(1000), new CurveText.Style(60, true, false));
    String coloured = CurveText.of(rising(1000), new CurveText.Style(60, true, true));
    assertThat(coloured.replaceAll("\u001b\\[[0-9]+m", "")).isEqualTo(plain);
    assertThat(coloured.lines().filter(line -> line.contains("\u001b[3")))
        .hasSize(6)
        .allSatisfy(line -> assertThat(line).endsWith("\u001b[0m"));
    assertThat(plain).doesNotContain("\u001b");
  }

  @Test
  void nothingIsDrawnOfNothing() {
    assertThat(CurveText.of(new Curves(), new CurveText.Style(80, true, false))).isEmpty();
    assertThat(CurveText.of(rising(9), new CurveText.Style(19, true, false))).isEmpty();
  }

  @Test
  void colourNeedsATerminalAndNoObjection() {
    assertThat(Terminal.isColoured(Map.of(), true)).isTrue();
    assertThat(Terminal.isColoured(Map.of("NO_COLOR", ""), true)).isTrue();
    assertThat(Terminal.isColoured(Map.of("NO_COLOR", "1"), true)).isFalse();
    assertThat(Terminal.isColoured(Map.of(), false)).isFalse();
  }
}
