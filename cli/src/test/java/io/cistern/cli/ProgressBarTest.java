package io.cistern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressBarTest {

  @Test
  void showsTheShareThatIsDone() {
    try (ProgressBar bar = new ProgressBar(null, "rows", 1000, 4, Duration.ZERO)) {
      assertThat(bar.line(500, 1)).startsWith("[------]  12%  ");
      assertThat(bar.line(1000, 1)).startsWith("[#-----]  25%  ");
    }
  }

  /** A line that wrapped would stay on the terminal, and the next one below it. */
  @Test
  void isOfOneWidthAndFitsANarrowTerminal() {
    try (ProgressBar bar =
        new ProgressBar(new PrintWriter(new StringWriter()), "rows", 1000, 1, Duration.ZERO)) {
      assertThat(bar.line(0, 1)).hasSize(39);
      bar.at(0, 1000, 99_999L * 59_999 + 30_000);
      assertThat(bar.line(500, 59_999_000_000_000L))
          .hasSize(39)
          .isEqualTo("[###---]  50%  99999 rows/s 16h39m left");
      bar.at(999_999_999, 500, Long.MAX_VALUE / 2);
      assertThat(bar.line(1000, 1)).hasSize(39);
    }
  }

  @Test
  void tellsHowLongTheRestTakes() {
    try (ProgressBar bar = new ProgressBar(null, "rows", 1000, 1, Duration.ZERO)) {
      assertThat(bar.line(5, 1_000_000_000)).doesNotContain("left");
      assertThat(bar.line(250, 4_000_000_000L)).contains(" 12s left");
      assertThat(bar.line(10, 2_000_000_000L)).contains(" 3m18s left");
      assertThat(bar.line(100, 600_000_000_000L)).contains(" 1h30m left");
    }
  }

  @Test
  void showsTheTimeWhereThatTakesLonger() {
    try (ProgressBar bar = new ProgressBar(null, "rows", 1000, 1, Duration.ofSeconds(10))) {
      assertThat(bar.line(1000, 5_000_000_000L)).contains("  50%  ");
    }
  }

  @Test
  void shortWorkShowsNothing() {
    StringWriter terminal = new StringWriter();
    try (ProgressBar bar =
        new ProgressBar(new PrintWriter(terminal), "rows", 1000, 1, Duration.ZERO)) {
      bar.at(0, 500, 100);
    }
    assertThat(terminal.toString()).isEmpty();
  }
}
