package io.cistern.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Sections 7 to 9 under many threads: nothing that is live, pending or pinned is written by others,
 * the equations hold, and in the end all is given back. {@code -Dcistern.stress=30s} says how long,
 * {@code -Dcistern.seed=N} what each thread draws; which thread comes first is the machine's.
 */
class StressTest {

  private static final int WORKERS = 4;

  /** More than a wait for fences can take; a thread that has not ended by then hangs. */
  private static final Duration GRACE = Duration.ofMinutes(2);

  // Held, since a logger that nobody holds forgets its level: managers are closed with live slices.
  private static final Logger SILENCED = Logger.getLogger("io.cistern");

  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  @Test
  void nothingOverlapsAndAllComesBack() throws Exception {
    SILENCED.setLevel(Level.OFF);
    Duration time = Duration.parse("PT" + System.getProperty("cistern.stress", "3s").strip());
    long seed = Long.getLong("cistern.seed", new Random().nextLong());
    System.out.println("stress: " + time + ", -Dcistern.seed=" + seed);
    World world = new World(new Random(seed));
    Thread device = start("device", world.device::run);
    List<Worker> workers = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    long end = System.nanoTime() + time.toNanos();
    for (int i = 1; i <= WORKERS; i++) {
      Worker worker = new Worker(world, new Random(seed + i));
      workers.add(worker);
      threads.add(start("worker " + i, () -> work(worker, end)));
    }
    ResidentMemory memory = new ResidentMemory(time);
    while (failure.get() == null && System.nanoTime() - end < 0) {
      memory.sample();
      Thread.sleep(100);
    }
    for (Thread thread : threads) {
      join(thread, GRACE, seed);
    }
    world.device.stop();
    join(device, GRACE, seed);
    if (failure.get() != null) {
      throw new AssertionError("a thread failed; seed " + seed, failure.get());
    }
    world.close();
    print(workers);
    memory.checkFlat();
  }

  private void work(Worker worker, long end) {
    while (failure.get() == null && System.nanoTime() - end < 0) {
      worker.step();
    }
    worker.finish();
  }

  /** What a thread runs. */
  private interface Body {
    void run() throws Exception;
  }

  private Thread start(String name, Body body) {
    return Thread.ofPlatform()
        .name(name)
        .daemon()
        .start(
            () -> {
              try {
                body.run();
              } catch (Throwable e) {
                failure.compareAndSet(null, e);
              }
            });
  }

  private static void join(Thread thread, Duration atMost, long seed) throws InterruptedException {
    if (!thread.join(atMost)) {
      String stacks =
          Thread.getAllStackTraces().entrySet().stream()
              .map(one -> one.getKey() + "\n  " + Arrays.toString(one.getValue()))
              .collect(Collectors.joining("\n"));
      throw new AssertionError(thread + " hangs; seed " + seed + "\n" + stacks);
    }
  }

  private static void print(List<Worker> workers) {
    Map<Operation, Long> done = new EnumMap<>(Operation.class);
    workers.forEach(worker -> worker.done().forEach((what, n) -> done.merge(what, n, Long::sum)));
    long all = done.values().stream().mapToLong(Long::longValue).sum();
    long refused = workers.stream().mapToLong(Worker::refused).sum();
    long installed = workers.stream().mapToLong(Worker::installed).sum();
    System.out.printf(
        "stress: %d operations, %d requests refused, %d installs done: %s%n",
        all, refused, installed, done);
    assertThat(done).as("operations").containsKey(Operation.ALLOCATE);
  }
}
