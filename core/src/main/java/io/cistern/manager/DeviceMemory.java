package io.cistern.manager;

import io.cistern.MemoryUsage;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.layout.LayoutException;
import io.cistern.layout.PoolLayout;
import io.cistern.pool.UsageCounter;
import io.cistern.storage.Storage;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One storage and one layout, with a {@link MemoryManager} for each stream of device work.
 *
 * <p>Caps hold per stream; {@link #usage} is of all streams together, its peaks the largest sums at
 * one moment. Safe for many threads.
 */
public final class DeviceMemory implements AutoCloseable {

  private final Storage storage;
  private final MemoryPoolsConfig pools;

  // Guards what all streams share, and the streams themselves: a total that is exact at each moment
  // needs one order of all changes.
  private final ReentrantLock lock = new ReentrantLock();
  private final UsageCounter total = new UsageCounter(null);
  private final Map<Integer, MemoryManager> streams = new TreeMap<>();
  private boolean open = true;

  private DeviceMemory(Storage storage, MemoryPoolsConfig pools) {
    this.storage = storage;
    this.pools = pools;
  }

  /**
   * Opens a device's memory, without streams yet.
   *
   * @param storage the device; the caller closes it, after this
   * @param pools the pools of each stream
   * @throws LayoutException if the pools can't work on the device
   */
  public static DeviceMemory open(Storage storage, MemoryPoolsConfig pools) {
    PoolLayout.resolve(pools, storage.properties());
    return new DeviceMemory(storage, Objects.requireNonNull(pools, "pools"));
  }

  /**
   * The manager of a stream, opened on first use.
   *
   * @throws IllegalStateException if this is closed
   */
  public MemoryManager stream(int stream) {
    lock.lock();
    try {
      if (!open) {
        throw ManagerErrors.deviceMemoryClosed();
      }
      return streams.computeIfAbsent(stream, this::openStream);
    } finally {
      lock.unlock();
    }
  }

  private MemoryManager openStream(int stream) {
    return MemoryManager.builder(storage)
        .pools(pools)
        .name("stream " + stream)
        .partOf(lock, total)
        .open();
  }

  /** The managers that are open, by stream; a copy. */
  public Map<Integer, MemoryManager> streams() {
    lock.lock();
    try {
      return new TreeMap<>(streams);
    } finally {
      lock.unlock();
    }
  }

  /** What all streams together hold at this moment. O(1). */
  public MemoryUsage usage() {
    lock.lock();
    try {
      return total.toUsage();
    } finally {
      lock.unlock();
    }
  }

  /** Closes the managers of all streams. A second close does nothing. */
  @Override
  public void close() {
    lock.lock();
    try {
      open = false;
    } finally {
      lock.unlock();
    }
    // Each tells its listener outside of the lock.
    streams().values().forEach(MemoryManager::close);
  }
}
