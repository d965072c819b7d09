package io.cistern.benchmarks.suite;

import io.cistern.benchmarks.peers.Slots;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Control;

/** One thread allocates 256 bytes, another frees them. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HandOver {

  private static final String GROUP = "handOver";
  private static final int BYTE_SIZE = 256;

  /** Places that go round between the two threads. */
  @State(Scope.Group)
  public static class Places {
    private static final int COUNT = 1024;

    private final Turns turns = new Turns(COUNT);
    private @Nullable Slots slots;

    @Setup(Level.Trial)
    public void make(Opened opened) {
      slots = opened.slots(COUNT);
      opened.beforeClose(this::freeAll);
    }

    void allocate(Control control) {
      while (!turns.mayPut()) {
        if (control.stopMeasurement) {
          return;
        }
        Thread.onSpinWait();
      }
      Objects.requireNonNull(slots).allocate(turns.putAt(), BYTE_SIZE);
      turns.put();
    }

    void free(Control control) {
      while (!turns.mayTake()) {
        if (control.stopMeasurement) {
          return;
        }
        Thread.onSpinWait();
      }
      Objects.requireNonNull(slots).free(turns.takeAt());
      turns.take();
    }

    private void freeAll() {
      while (turns.mayTake()) {
        Objects.requireNonNull(slots).free(turns.takeAt());
        turns.take();
      }
    }
  }

  @Benchmark
  @Group(GROUP)
  public void allocate(Opened opened, Spent spent, Places places, Control control) {
    places.allocate(control);
  }

  @Benchmark
  @Group(GROUP)
  public void free(Opened opened, Spent spent, Places places, Control control) {
    places.free(control);
  }
}
