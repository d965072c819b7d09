package io.cistern.benchmarks.suite;

import io.cistern.benchmarks.peers.Slots;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One allocation of 256 bytes and its free. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Fixed {

  private static final int BYTE_SIZE = 256;

  /** The place of one thread. */
  @State(Scope.Thread)
  public static class Place {
    private @Nullable Slots slots;

    @Setup(Level.Trial)
    public void make(Opened opened) {
      slots = opened.slots(1);
    }
  }

  @Benchmark
  public void pair(Opened opened, Spent spent, Place place) {
    Slots slots = Objects.requireNonNull(place.slots);
    slots.allocate(0, BYTE_SIZE);
    slots.free(0);
  }
}
