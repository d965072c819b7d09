package io.cistern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressBarTest {

  @Test
  void showsTheShareThatIsDone() {
    try (ProgressBar bar = new ProgressBar(null, 1000, 4, Duration.ZERO)) {
      assertThat(bar.line(500, 1)).startsWith("[#-------]").contains("  12%  pass 1  ");
    }
  }

  /** A line that wrapped would stay on the terminal, and the next one below it. */
  @Test
  void isOfOneWidthAndFitsANarrowTerminal() {
    try (ProgressBar bar =
        new ProgressBar(new PrintWriter(new StringWriter()), 1000, 1, Duration.ZERO)) {
      assertThat(bar.line(0, 1)).hasSize(39);
      bar.at(998, 500, 99_999);
      assertThat(bar.line(1000, 1_000_000_000))
          .isEqualTo("[########] 100%  pass 999  99999 rows/s");
      bar.at(999_999_999, 500, 1);
      assertThat(bar.line(1000, 1)).hasSize(39);
    }
  }

  @Test
  void showsTheTimeWhereThatTakesLonger() {
    try (ProgressBar bar = new ProgressBar(null, 1000, 1, Duration.ofSeconds(10))) {
      assertThat(bar.line(1000, 5_000_000_000L)).contains("  50%  ");
    }
  }

  @Test
  void shortWorkShowsNothing() {
    StringWriter terminal = new StringWriter();
    try (ProgressBar bar = new ProgressBar(new PrintWriter(terminal), 1000, 1, Duration.ZERO)) {
      bar.at(0, 500, 100);
    }
    assertThat(terminal.toString()).isEmpty();
  }
}
