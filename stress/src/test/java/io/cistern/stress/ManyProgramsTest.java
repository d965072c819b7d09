package io.cistern.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.model.RandomPrograms;
import io.cistern.trace.script.Script;
import io.cistern.trace.script.ScriptResult;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Random programs over all operations beside the plain model of {@code core}'s tests: ten million
 * operations, or {@code -Dcistern.programs.minutes=N} minutes of them with seeds of the day.
 */
class ManyProgramsTest {

  private static final long OPERATIONS = 10_000_000;
  private static final int SCRIPTS = 1000;

  @Test
  void everyProgramDoesWhatTheModelSays() {
    long minutes = Long.getLong("cistern.programs.minutes", 0);
    long end = System.nanoTime() + Duration.ofMinutes(minutes).toNanos();
    long first = minutes > 0 ? System.currentTimeMillis() << 20 : 0;
    AtomicLong seeds = new AtomicLong(first);
    AtomicLong operations = new AtomicLong();
    IntStream.range(0, Runtime.getRuntime().availableProcessors())
        .parallel()
        .forEach(
            _ -> {
              while (minutes > 0 ? System.nanoTime() - end < 0 : operations.get() < OPERATIONS) {
                operations.addAndGet(RandomPrograms.check(seeds.getAndIncrement()));
              }
            });
    System.out.printf(
        "programs: %,d operations in %,d programs, seeds from %d%n",
        operations.get(), seeds.get() - first, first);
    assertThat(operations.get()).isPositive();
  }

  /** What a failing program would be written as runs, and comes to the same. */
  @Test
  void everyProgramIsAScript() throws IOException {
    for (long seed = 0; seed < SCRIPTS; seed++) {
      String text = RandomPrograms.script(seed);
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      Script script = Script.read("seed " + seed, new ByteArrayInputStream(bytes));
      ScriptResult result = script.run(_ -> {});
      assertThat(result.steps()).as("steps of seed %d", seed).isEqualTo(text.lines().count() - 3);
    }
  }
}
