package io.cistern.benchmarks;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.CountingStorage;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageBlock;
import java.util.List;
import java.util.Optional;
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
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * What one allocation and its free cost from the driver, and from a pool that has a page for it.
 * Memory is not touched.
 *
 * <p>JMH's own main class fails for each device that is absent, and goes on; the one here leaves
 * them out.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class DriverAgainstPool {

  private static final List<String> KINDS = List.of("host", "opencl", "vulkan", "cuda", "hip");

  /** The largest size measured, so that a page serves each of them. */
  private static final MemorySize PAGE = MemorySize.ofMiB(64);

  @Param({"host", "opencl", "vulkan", "cuda", "hip"})
  public String device = "host";

  @Param({"4096", "1048576", "67108864"})
  public long byteSize;

  private CountingStorage storage =
      new CountingStorage(SimulatedStorage.withCapacity(MemorySize.MAX));
  private Storage driver = storage;
  private MemoryManager direct = MemoryManager.open(storage, MemoryPoolsConfig.subSlices());
  private MemoryManager sliced = direct;

  /**
   * Measures the devices that are there.
   *
   * @param arguments as JMH's own, such as {@code -f 3} or {@code -p byteSize=4096}
   */
  public static void main(String[] arguments) throws RunnerException, CommandLineOptionException {
    CommandLineOptions given = new CommandLineOptions(arguments);
    String[] asked =
        given.getParameter("device").orElse(KINDS).stream()
            .filter(DriverAgainstPool::isThere)
            .toArray(String[]::new);
    if (asked.length > 0) {
      new Runner(
              new OptionsBuilder()
                  .parent(given)
                  .include(DriverAgainstPool.class.getName())
                  .param("device", asked)
                  .build())
          .run();
    }
  }

  private static boolean isThere(String kind) {
    Optional<String> whyNone = Devices.whyNone(kind);
    whyNone.ifPresent(why -> System.out.println("skipped, no device " + kind + ": " + why));
    return whyNone.isEmpty();
  }

  @Setup(Level.Trial)
  public void open() {
    direct.close();
    driver = Devices.open(device);
    storage = new CountingStorage(driver);
    direct = MemoryManager.open(storage, MemoryPoolsConfig.of(MemoryPoolConfig.direct()));
    sliced = MemoryManager.open(storage, MemoryPoolsConfig.of(MemoryPoolConfig.sliced(PAGE)));
    // The pages that the pairs use again and again.
    directPool();
    slicedPool();
  }

  @Benchmark
  public long driver() {
    StorageBlock block = driver.allocate(byteSize);
    driver.free(block);
    return block.byteSize();
  }

  @Benchmark
  public boolean directPool() {
    return pair(direct);
  }

  @Benchmark
  public boolean slicedPool() {
    return pair(sliced);
  }

  private boolean pair(MemoryManager manager) {
    Allocation allocation = manager.allocate(byteSize);
    allocation.close();
    return allocation.isAlive();
  }

  @TearDown(Level.Trial)
  public void close() {
    if (storage.allocations() != 2 || storage.frees() != 0) {
      throw new IllegalStateException(
          "the pools called the driver: "
              + storage.allocations()
              + " allocations and "
              + storage.frees()
              + " frees instead of one page each");
    }
    direct.close();
    sliced.close();
    storage.close();
  }
}
