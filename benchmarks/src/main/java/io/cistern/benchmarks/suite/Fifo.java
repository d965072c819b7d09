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

/**
 * The program that CubeCL measures its memory with: 204,800 allocations of 1 MiB, of which the last
 * 4,000 are live, again and again from the start.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Fifo {

  private static final int ALLOCATIONS = 100 * 2048;
  private static final int LIVE = 4000;
  private static final long BYTE_SIZE = 1 << 20;

  /** The places, used in turn. */
  @State(Scope.Thread)
  public static class Queue {
    private @Nullable Slots slots;
    private int done;

    @Setup(Level.Trial)
    public void make(Opened opened) {
      slots = opened.slots(LIVE);
      opened.beforeClose(this::empty);
      Figures.max(Figures.PEAK_LIVE, LIVE * BYTE_SIZE);
    }

    void step() {
      if (done == ALLOCATIONS) {
        empty();
      }
      Slots places = Objects.requireNonNull(slots);
      int slot = done % LIVE;
      if (done >= LIVE) {
        places.free(slot);
      }
      places.allocate(slot, BYTE_SIZE);
      done++;
    }

    private void empty() {
      for (int slot = 0; slot < Math.min(done, LIVE); slot++) {
        Objects.requireNonNull(slots).free(slot);
      }
      done = 0;
    }
  }

  @Benchmark
  public void step(Opened opened, Spent spent, Queue queue) {
    queue.step();
  }
}
