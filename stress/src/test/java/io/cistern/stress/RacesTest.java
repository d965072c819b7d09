package io.cistern.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Section 7: races of two calls have the outcomes that each of the jcstress tests allows. Runs the
 * harness as its own program does, in JVMs of its own, a short time for each; CONTRIBUTING.md has
 * the command of the full run.
 */
class RacesTest {

  // One set of JVM arguments and no split compilation, so that a test is one fork and not dozens.
  private static final String QUICK =
      "-t io.cistern -m quick -f 1 -fsm 1 -iters 1 -time 400 -sc false -jvmArgs -Xshare:auto";

  private static final Path SOURCES = Path.of("src/main/java/io/cistern/stress/races");

  private static final Pattern RESULTS =
      Pattern.compile("\\(Results: (\\d+) planned; (\\d+) passed, 0 failed, 0 soft errs, 0 hard");

  /** The harness looks for a JVM's abilities first; this bounds a hang and measures nothing. */
  private static final Duration AT_MOST = Duration.ofMinutes(10);

  @Test
  void everyRaceHasAnAllowedOutcome(@TempDir Path folder) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("org.openjdk.jcstress.Main"));
    arguments.addAll(List.of(QUICK.split(" ", -1)));
    arguments.addAll(List.of("-r", folder.toString()));
    Harness harness = Harness.run(folder, AT_MOST, arguments);
    String text = harness.output();
    assertThat(harness.exitCode()).as(text).isZero();
    Matcher results = RESULTS.matcher(text);
    assertThat(results.results().toList().getLast())
        .as(text)
        .satisfies(
            last -> {
              assertThat(last.group(1)).isEqualTo(last.group(2));
              assertThat(Long.parseLong(last.group(1))).isEqualTo(races());
            });
  }

  /** How many there are in the sources, so that none is left out unseen. */
  private static long races() throws IOException {
    long races = 0;
    try (DirectoryStream<Path> sources = Files.newDirectoryStream(SOURCES, "*.java")) {
      for (Path source : sources) {
        races += Files.readString(source).contains("@JCStressTest") ? 1 : 0;
      }
    }
    return races;
  }
}
