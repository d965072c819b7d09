package io.cistern.gpu.check;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.Storage;
import java.util.Arrays;

/** The time of an allocation and its free, of the driver and of a pool. */
final class Benchmark {

  private static final int DRIVER_ROUNDS = 200;
  private static final int POOL_ROUNDS = 200;
  private static final int POOL_BATCH = 1000;
  private static final long MOST_NANOS = 4_000_000_000L;

  /** Below this a pool need not be faster by {@link #LEAST_RATIO}. */
  private static final long SLOW_DRIVER_NANOS = 20_000;

  private static final double LEAST_RATIO = 100;

  private Benchmark() {}

  /**
   * What was measured.
   *
   * @param memory the kind of memory
   * @param byteSize the size of each allocation in bytes
   * @param driverNanos the driver's median for an allocation and its free
   * @param poolNanos the pool's
   */
  record Result(String memory, long byteSize, double driverNanos, double poolNanos) {

    double ratio() {
      return driverNanos / poolNanos;
    }

    boolean isGood() {
      return driverNanos <= SLOW_DRIVER_NANOS || ratio() >= LEAST_RATIO;
    }
  }

  /** Measures a size on a kind of memory. */
  static Result run(Subject subject, String memory, MemorySize size) {
    try (Storage storage = subject.open(memory)) {
      double driver = median(DRIVER_ROUNDS, 1, () -> storage.free(storage.allocate(size.bytes())));
      try (MemoryManager manager = MemoryManager.open(storage, pools(size))) {
        double pool = median(POOL_ROUNDS, POOL_BATCH, () -> manager.allocate(size.bytes()).close());
        return new Result(memory, size.bytes(), driver, pool);
      }
    }
  }

  private static MemoryPoolsConfig pools(MemorySize size) {
    return MemoryPoolsConfig.of(MemoryPoolConfig.sliced(MemorySize.of(2 * size.bytes())));
  }

  /** The median of the later half of the rounds: the JVM and the driver are warm then. */
  private static double median(int rounds, int batch, Runnable action) {
    double[] nanos = new double[rounds];
    int done = 0;
    long begin = System.nanoTime();
    while (done < rounds && (done < 3 || System.nanoTime() - begin < MOST_NANOS)) {
      long start = System.nanoTime();
      for (int i = 0; i < batch; i++) {
        action.run();
      }
      nanos[done++] = (double) (System.nanoTime() - start) / batch;
    }
    double[] later = Arrays.copyOfRange(nanos, done / 2, done);
    Arrays.sort(later);
    return later[later.length / 2];
  }
}
