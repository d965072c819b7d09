package io.cistern.benchmarks;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.SimulatedStorage;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What one allocation and its close cost while many slices are kept: the same, however many there
 * are.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class FlatLifetimes {

  private static final MemorySize PAGE = MemorySize.ofMiB(64);

  @Param public Kept kept = Kept.LIVE;

  @Param({"100", "1000", "10000", "100000"})
  public int count;

  private SimulatedStorage device = SimulatedStorage.withCapacity(MemorySize.MAX);
  private MemoryManager manager = MemoryManager.open(device, MemoryPoolsConfig.subSlices());
  private int next;

  @Setup(Level.Trial)
  public void keep() {
    manager.close();
    manager =
        MemoryManager.builder(device)
            .pools(MemoryPoolsConfig.of(MemoryPoolConfig.sliced(PAGE)))
            .maxWait(Duration.ZERO)
            .open();
    kept.keep(manager, count);
    // The slices that the pairs use again and again, so that none of them needs the driver.
    for (int i = 0; i < Kept.SIZES; i++) {
      pair();
    }
  }

  @Benchmark
  public boolean pair() {
    next++;
    Allocation allocation = manager.allocate(kept.byteSize(next));
    allocation.close();
    return allocation.isAlive();
  }

  @TearDown(Level.Trial)
  public void close() {
    // Nothing is waited for, and what is live ends with the device, so no warning names it.
    device = SimulatedStorage.withCapacity(MemorySize.MAX);
  }
}
