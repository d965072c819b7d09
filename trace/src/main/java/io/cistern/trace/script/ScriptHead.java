package io.cistern.trace.script;

import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.PersistentMemory;
import io.cistern.storage.DeviceProperties;
import java.time.Duration;

/**
 * What a script begins with.
 *
 * @param device the simulated device
 * @param managers whose managers there are
 * @param persistent when requests are persistent
 * @param maxWait how long requests wait for fences, which pass when they are waited for
 * @param pools the layout at the begin
 */
record ScriptHead(
    DeviceProperties device,
    Managers managers,
    PersistentMemory persistent,
    Duration maxWait,
    MemoryPoolsConfig pools) {

  /** Whose managers there are. */
  enum Managers {
    /** One for all threads. */
    SHARED,
    /** One of one thread alone. */
    CONFINED,
    /** One for each stream. */
    STREAMS
  }
}
