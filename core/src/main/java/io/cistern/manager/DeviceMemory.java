package io.cistern.manager;

import io.cistern.DeviceMemoryException;
import io.cistern.MemorySize;
import io.cistern.MemoryUsage;
import io.cistern.PoolsInUseException;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.layout.LayoutException;
import io.cistern.layout.PoolLayout;
import io.cistern.pool.PoolLock;
import io.cistern.pool.UsageCounter;
import io.cistern.storage.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ObjIntConsumer;

/**
 * One storage and one layout, with a {@link MemoryManager} for each stream of device work.
 *
 * <p>Caps hold per stream; {@link #usage} is of all streams together, its peaks the largest sums at
 * one moment. Safe for many threads.
 */
public final class DeviceMemory implements AutoCloseable {

  private final Storage storage;
  private final ObjIntConsumer<MemoryManagerBuilder> setUp;

  // Guards what all streams share, and the streams themselves: a total that is exact at each moment
  // needs one order of all changes.
  private final PoolLock lock = PoolLock.shared();
  private final UsageCounter total = new UsageCounter(null);
  private final Map<Integer, MemoryManager> streams = new TreeMap<>();
  private final List<MemoryManager> ending = new ArrayList<>();
  private MemoryPoolsConfig pools;
  private boolean open = true;

  private DeviceMemory(
      Storage storage, MemoryPoolsConfig pools, ObjIntConsumer<MemoryManagerBuilder> setUp) {
    this.storage = storage;
    this.pools = pools;
    this.setUp = setUp;
  }

  /**
   * Opens a device's memory, without streams yet.
   *
   * @param storage the device; the caller closes it, after this
   * @param pools the pools of each stream
   * @throws LayoutException if the pools can't work on the device
   */
  public static DeviceMemory open(Storage storage, MemoryPoolsConfig pools) {
    return open(storage, pools, (_, _) -> {});
  }

  /**
   * As {@link #open(Storage, MemoryPoolsConfig)}, with managers that are set up by the caller.
   *
   * @param setUp is given the builder of each stream's manager and the stream, before it is opened,
   *     to set what it likes but the pools; called with the streams locked, so that it must not
   *     call this
   * @throws LayoutException if the pools can't work on the device
   */
  public static DeviceMemory open(
      Storage storage, MemoryPoolsConfig pools, ObjIntConsumer<MemoryManagerBuilder> setUp) {
    PoolLayout.resolve(pools, storage.properties());
    return new DeviceMemory(storage, pools, Objects.requireNonNull(setUp, "setUp"));
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
    MemoryManagerBuilder builder = MemoryManager.builder(storage).name("stream " + stream);
    setUp.accept(builder, stream);
    return builder.pools(pools).partOf(lock, total).open();
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
    lock.lockExact();
    try {
      return total.toUsage();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends a stream: its manager serves nothing any more, gives its free pages back at once, and the
   * rest when their last slice is free. Its number may be used again, for another manager. Does
   * nothing if there is no such stream.
   */
  public void closeStream(int stream) {
    MemoryManager ended;
    lock.lock();
    try {
      ended = streams.remove(stream);
      if (ended != null) {
        ending.add(ended);
      }
    } finally {
      lock.unlock();
    }
    if (ended != null) {
      ended.end();
    }
    forgetEnded();
  }

  /** The managers of closed streams that still have slices live or pending. O(closed streams). */
  private List<MemoryManager> forgetEnded() {
    // Asked outside of the lock, because an end is told to the manager's listener.
    List<MemoryManager> ended = endingNow().stream().filter(MemoryManager::isEnded).toList();
    lock.lock();
    try {
      ending.removeAll(ended);
    } finally {
      lock.unlock();
    }
    return endingNow();
  }

  private List<MemoryManager> endingNow() {
    lock.lock();
    try {
      return List.copyOf(ending);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives all free memory of all streams back to the driver. O(streams, and pages given back).
   *
   * @return how much went back
   * @throws IllegalStateException if this is closed
   */
  public MemorySize trim() {
    forgetEnded();
    MemorySize givenBack = MemorySize.ZERO;
    for (MemoryManager manager : openStreams()) {
      givenBack = givenBack.plus(manager.trim());
    }
    return givenBack;
  }

  private List<MemoryManager> openStreams() {
    lock.lock();
    try {
      if (!open) {
        throw ManagerErrors.deviceMemoryClosed();
      }
      return List.copyOf(streams.values());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Puts another layout in force for all streams, and for those to come: all of them or none.
   *
   * @throws LayoutException if the pools can't work on the device; nothing is disturbed
   * @throws PoolsInUseException if allocations of a stream are live or pending; nothing is
   *     disturbed
   * @throws DeviceMemoryException if the device did not take a page back; some streams have the new
   *     layout then
   * @throws IllegalStateException if this is closed, or a capture is under way
   */
  public void install(MemoryPoolsConfig config) {
    PoolLayout layout = PoolLayout.resolve(config, storage.properties());
    openStreams().forEach(manager -> manager.awaitPending(pool -> pool.index() >= 0));
    List<MemoryManager> managers;
    lock.lockExact();
    try {
      managers = openStreams();
      managers.forEach(MemoryManager::checkInstall);
      managers.forEach(manager -> manager.swap(layout));
      pools = config;
      total.resetPeaks();
    } finally {
      lock.unlock();
    }
    managers.forEach(MemoryManager::tell);
  }

  /**
   * Closes the managers of all streams, also of those that have ended with slices live. A second
   * close does nothing.
   */
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
    forgetEnded().forEach(MemoryManager::close);
  }
}
