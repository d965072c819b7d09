package io.cistern.stress.races;

import io.cistern.MemorySize;
import io.cistern.PoolCapacityException;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.SimulatedStorage;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A manager that has room for one slice: whether that slice is free shows by asking for another.
 */
final class OneSlice {

  static final int REFUSED = 0;
  static final int SERVED = 1;

  private static final long BYTES = 4096;

  // Held, since a logger that nobody holds forgets its level. The races make live allocations at a
  // close by the million, and each would be a warning.
  private static final Logger SILENCED = Logger.getLogger("io.cistern");

  static {
    SILENCED.setLevel(Level.OFF);
  }

  final SimulatedStorage device = SimulatedStorage.withCapacity(MemorySize.of(BYTES));
  final MemoryManager manager =
      MemoryManager.builder(device)
          .pools(
              MemoryPoolsConfig.of(
                  MemoryPoolConfig.sliced(MemorySize.of(BYTES))
                      .withMaxPoolSize(MemorySize.of(BYTES))))
          .maxWait(Duration.ZERO)
          .open();

  Allocation take() {
    return manager.allocate(BYTES);
  }

  /** Asks for the slice; what is served stays live. */
  int ask() {
    try {
      take();
      return SERVED;
    } catch (PoolCapacityException full) {
      return REFUSED;
    }
  }

  /** Closes a handle: {@link #SERVED}, or {@link #REFUSED} if it is closed already. */
  static int close(Allocation handle) {
    try {
      handle.close();
      return SERVED;
    } catch (IllegalStateException closed) {
      return REFUSED;
    }
  }
}
