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
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/** Frees a random one of many live allocations, and allocates another in its place. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Replace {

  /** From here on filling and emptying are timed too, and the heap is measured. */
  private static final int MANY = 1_000_000;

  /** The places of one thread. */
  @State(Scope.Thread)
  public static class Places {

    @Param({"1", "100", "10000", "100000", "1000000"})
    public int live;

    @Param public SizeRange range = SizeRange.SMALL;

    private @Nullable Slots slots;
    private @Nullable Draws draws;
    private int next;

    @Setup(Level.Trial)
    public void fill(Opened opened, ThreadParams thread) {
      draws = new Draws(live, range, thread.getThreadIndex());
      slots = opened.slots(live);
      Figures.add(Figures.PEAK_LIVE, (double) draws.peakLive(live));
      if (live < MANY) {
        allocate(live);
        opened.beforeClose(() -> free(live));
      } else {
        measureFilling();
        opened.beforeClose(() -> Figures.max(Figures.EMPTY, nanosEach(() -> free(live))));
      }
    }

    private void measureFilling() {
      long heap = usedHeap();
      for (int i = 0; i < 3; i++) {
        // For all to be compiled.
        allocate(live / 20);
        free(live / 20);
      }
      Figures.max(Figures.FILL, nanosEach(() -> allocate(live)));
      Figures.max(Figures.HEAP, (double) (usedHeap() - heap) / live);
    }

    private double nanosEach(Runnable all) {
      return (double) Spent.cpuNanos(all) / live;
    }

    private static long usedHeap() {
      for (int i = 0; i < 3; i++) {
        System.gc();
      }
      return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private void allocate(int count) {
      int[] byteSizes = Objects.requireNonNull(draws).byteSizes;
      for (int slot = 0; slot < count; slot++) {
        Objects.requireNonNull(slots).allocate(slot, byteSizes[slot % byteSizes.length]);
      }
    }

    void replace() {
      Draws all = Objects.requireNonNull(draws);
      Slots places = Objects.requireNonNull(slots);
      int draw = next++ & (all.slots.length - 1);
      int slot = all.slots[draw];
      places.free(slot);
      places.allocate(slot, all.byteSizes[draw]);
    }

    private void free(int count) {
      for (int slot = 0; slot < count; slot++) {
        Objects.requireNonNull(slots).free(slot);
      }
    }
  }

  @Benchmark
  public void one(Opened opened, Spent spent, Places places) {
    places.replace();
  }
}
