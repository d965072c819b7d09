package io.cistern.benchmarks.suite;

import io.cistern.benchmarks.peers.Allocator;
import io.cistern.benchmarks.peers.Allocator.Threads;
import java.util.Map;
import java.util.Optional;

/** What all allocators are asked to do. */
@SuppressWarnings("ImmutableEnumChecker") // Maps that nothing can change.
enum Workload {
  FIXED("fixed", "256 bytes, one live", Fixed.class, Map.of()),
  LIVE_1("replace N=1", "One of 1 live is replaced", Replace.class, live(1)),
  LIVE_100("replace N=100", "A random one of 100 live is replaced", Replace.class, live(100)),
  LIVE_10K("replace N=10k", "A random one of 10,000 live is replaced", Replace.class, live(10_000)),
  LIVE_100K(
      "replace N=100k", "A random one of 100,000 live is replaced", Replace.class, live(100_000)),
  LIVE_1M(
      "replace N=1M", "A random one of 1,000,000 live is replaced", Replace.class, live(1_000_000)),
  LARGE(
      "large",
      "A random one of 64 large ones is replaced",
      Replace.class,
      Map.of("live", "64", "range", SizeRange.LARGE.name())),
  FIFO("cubecl", "CubeCL's own benchmark: 1 MiB, the last 4,000 live", Fifo.class, Map.of()),
  FIXED_TWICE(
      "two threads fixed",
      "Two threads, each for itself: 256 bytes, one live",
      Fixed.class,
      Map.of()),
  LIVE_10K_TWICE(
      "two threads replace N=10k",
      "Two threads, each for itself: a random one of its 10,000 live is replaced",
      Replace.class,
      live(10_000)),
  HAND_OVER(
      "freed by the other thread",
      "Two threads: one allocates 256 bytes, the other frees them",
      HandOver.class,
      Map.of());

  /** How a cell is chosen, and found in results. */
  final String id;

  final String title;
  final Class<?> benchmark;
  final Map<String, String> parameters;

  Workload(String id, String title, Class<?> benchmark, Map<String, String> parameters) {
    this.id = id;
    this.title = title;
    this.benchmark = benchmark;
    this.parameters = parameters;
  }

  private static Map<String, String> live(int count) {
    return Map.of("live", String.valueOf(count), "range", SizeRange.SMALL.name());
  }

  int threads() {
    return switch (this) {
      case FIXED_TWICE, LIVE_10K_TWICE, HAND_OVER -> 2;
      default -> 1;
    };
  }

  /** The figure that tells: another program may take a lone thread's core, not its CPU time. */
  String time() {
    return threads() == 1 ? CellProfiler.CPU : Results.WALL;
  }

  /** Calls of the benchmark in one pair of an allocation and its free. */
  int callsInPair() {
    return this == HAND_OVER ? 2 : 1;
  }

  /** Threads make more noise. */
  int forks() {
    return threads() == 1 ? 3 : 5;
  }

  /** Why an allocator does not take part; empty if it does. */
  Optional<String> whyNot(Allocator allocator) {
    Threads allowed = allocator.threads();
    if (threads() > 1 && allowed == Threads.ONE) {
      return Optional.of("for one thread");
    }
    if (this == HAND_OVER && allowed == Threads.EACH_ITS_OWN) {
      return Optional.of("only the thread that allocated may free");
    }
    if (this == LIVE_1M) {
      return switch (allocator) {
        case NETTY_POOLED, NETTY_ADAPTIVE, ARENA ->
            Optional.of("zeroes what it takes from the system: more than 12 GB of real memory");
        case VMA -> Optional.of("slower the more is live: minutes for the filling alone");
        default -> Optional.empty();
      };
    }
    return Optional.empty();
  }
}
