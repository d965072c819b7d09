package io.cistern.stress.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.stress.Harness;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whatever is put into a file, its reader ends, in bounded memory, with a value or with one error
 * of its own. Jazzer changes the files of {@code corpus} and keeps what reaches new code; the seed
 * is fixed. {@code -Dcistern.fuzz.minutes=N} goes on for N minutes a reader, with a seed of the
 * day.
 */
class FuzzTest {

  private static final Path CORPUS = Path.of("corpus").toAbsolutePath();
  private static final Pattern DONE = Pattern.compile("Done (\\d+) runs in \\d+ second");

  /** A hang of one input ends the harness after 10 s; this ends a hang of the harness. */
  private static final Duration GRACE = Duration.ofMinutes(3);

  @ParameterizedTest(name = "{0}, {2} inputs")
  @CsvSource({
    "SizeTarget, sizes, 100000",
    "LayoutTarget, layouts, 50000",
    "TraceTarget, traces, 50000"
  })
  void whateverIsReadIsAValueOrOneError(
      String target, String corpus, long inputs, @TempDir Path folder) throws Exception {
    long minutes = Long.getLong("cistern.fuzz.minutes", 0);
    Path found = Files.createDirectory(folder.resolve("found"));
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=io.cistern.stress.fuzz." + target,
                "--instrumentation_includes=io.cistern.**",
                "--reproducer_path=" + folder,
                found.toString(),
                CORPUS.resolve(corpus).toString(),
                "-timeout=10",
                "-rss_limit_mb=2048",
                "-max_len=4096",
                "-print_final_stats=1"));
    arguments.addAll(
        minutes > 0
            ? List.of("-max_total_time=" + Duration.ofMinutes(minutes).toSeconds())
            : List.of("-seed=1", "-runs=" + inputs));
    Harness run = Harness.run(folder, GRACE.plusMinutes(minutes), arguments);
    assertThat(run.exitCode()).as(run.output()).isZero();
    Matcher done = DONE.matcher(run.output());
    assertThat(done.find()).as(run.output()).isTrue();
    System.out.println("fuzz: " + target + ", " + done.group());
    assertThat(Long.parseLong(done.group(1))).isGreaterThanOrEqualTo(minutes > 0 ? 1 : inputs);
  }
}
