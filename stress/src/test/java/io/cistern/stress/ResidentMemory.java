package io.cistern.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Whether the memory of this process stays flat over a long run. */
final class ResidentMemory {

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final int SAMPLES = 80;

  /** The compiler and the collector are still at work before. */
  private static final Duration SHORTEST = Duration.ofMinutes(2);

  private static final double GROWTH = 1.10;

  private final Duration time;
  private final List<Long> samples = new ArrayList<>();
  private final long start = System.nanoTime();

  ResidentMemory(Duration time) {
    this.time = time;
  }

  /** Takes a sample if it is time for one. */
  void sample() throws IOException {
    long due = samples.size() * (time.toNanos() / SAMPLES);
    if (System.nanoTime() - start >= due) {
      read().ifPresent(samples::add);
    }
  }

  private static OptionalLong read() throws IOException {
    if (!Files.exists(STATUS)) {
      return OptionalLong.empty();
    }
    return Files.readAllLines(STATUS).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst();
  }

  /** The median of the last quarter is about that of the second, which it prints. */
  void checkFlat() {
    if (time.compareTo(SHORTEST) < 0 || samples.size() < SAMPLES / 2) {
      return;
    }
    int quarter = samples.size() / 4;
    long early = median(samples.subList(quarter, 2 * quarter));
    long late = median(samples.subList(samples.size() - quarter, samples.size()));
    System.out.printf("stress: memory of the process %d KiB, then %d KiB%n", early, late);
    assertThat(late).as("KiB of the process").isLessThanOrEqualTo((long) (early * GROWTH));
  }

  private static long median(List<Long> some) {
    return some.stream().sorted().toList().get(some.size() / 2);
  }
}
