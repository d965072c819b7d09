package io.cistern.benchmarks.suite;

import io.cistern.benchmarks.peers.Allocator;
import io.cistern.benchmarks.peers.Allocator.Threads;
import java.util.Map;
import java.util.Optional;

/** What all allocators are asked to do. */
@SuppressWarnings("ImmutableEnumChecker") // Maps that nothing can change.
enum Workload {
  FIXED("fixed", "256 bytes, one live", Fixed.class, Map.of(), few(1)),
  LIVE_1("replace N=1", "One of 1 live is replaced", Replace.class, live(1), few(1)),
  LIVE_100(
      "replace N=100", "A random one of 100 live is replaced", Replace.class, live(100), few(1)),
  LIVE_10K(
      "replace N=10k",
      "A random one of 10,000 live is replaced",
      Replace.class,
      live(10_000),
      many(1, 0)),
  LIVE_100K(
      "replace N=100k",
      "A random one of 100,000 live is replaced",
      Replace.class,
      live(100_000),
      many(1, 1)),
  LIVE_1M(
      "replace N=1M",
      "A random one of 1,000,000 live is replaced",
      Replace.class,
      live(1_000_000),
      // Compiled while it is filled.
      Plan.timed(1, 9, 5)),
  LARGE(
      "large",
      "A random one of 64 large ones is replaced",
      Replace.class,
      Map.of("live", "64", "range", SizeRange.LARGE.name()),
      few(1)),
  FIFO(
      "cubecl", "CubeCL's own benchmark: 1 MiB, the last 4,000 live", Fifo.class, Map.of(), few(1)),
  FIXED_TWICE(
      "two threads fixed",
      "Two threads, each for itself: 256 bytes, one live",
      Fixed.class,
      Map.of(),
      few(2)),
  LIVE_10K_TWICE(
      "two threads replace N=10k",
      "Two threads, each for itself: a random one of its 10,000 live is replaced",
      Replace.class,
      live(10_000),
      many(2, 0)),
  HAND_OVER(
      "freed by the other thread",
      "Two threads: one allocates 256 bytes, the other frees them",
      HandOver.class,
      Map.of(),
      few(2));

  /** How a cell is chosen, and found in results. */
  final String id;

  final String title;
  final Class<?> benchmark;
  final Map<String, String> parameters;
  final Plan plan;

  Workload(String id, String title, Class<?> benchmark, Map<String, String> parameters, Plan plan) {
    this.id = id;
    this.title = title;
    this.benchmark = benchmark;
    this.parameters = parameters;
    this.plan = plan;
  }

  private static Map<String, String> live(int count) {
    return Map.of("live", String.valueOf(count), "range", SizeRange.SMALL.name());
  }

  /** Few live: steady as soon as all is compiled. */
  private static Plan few(int threads) {
    return Plan.timed(threads, 0, 4);
  }

  /** Many live: Netty's and Arrow's pools take longer to be as they stay. */
  private static Plan many(int threads, double fillSeconds) {
    return Plan.timed(threads, fillSeconds, 10);
  }

  /** The figure that tells: another program may take a lone thread's core, not its CPU time. */
  String time() {
    return plan.threads() == 1 ? Figures.CPU : Results.WALL;
  }

  /** Calls of the benchmark in one pair of an allocation and its free. */
  int callsInPair() {
    return this == HAND_OVER ? 2 : 1;
  }

  /** Why an allocator does not take part; empty if it does. */
  Optional<String> whyNot(Allocator allocator) {
    Threads allowed = allocator.threads();
    if (plan.threads() > 1 && allowed == Threads.ONE) {
      return Optional.of("for one thread");
    }
    if (this == HAND_OVER && allowed == Threads.EACH_ITS_OWN) {
      return Optional.of("only the thread that allocated may free");
    }
    if (this == LIVE_1M) {
      return switch (allocator) {
        case ARENA -> Optional.of("zeroes what it gives: 12 GB of real memory");
        case NETTY_ADAPTIVE, VMA ->
            Optional.of("slower the more is live: minutes for the filling alone");
        default -> Optional.empty();
      };
    }
    return Optional.empty();
  }
}
