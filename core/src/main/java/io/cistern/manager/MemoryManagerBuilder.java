package io.cistern.manager;

import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.PersistentMemory;
import io.cistern.config.SafetyOptions;
import io.cistern.layout.LayoutException;
import io.cistern.layout.PoolLayout;
import io.cistern.pool.PoolLock;
import io.cistern.pool.UsageCounter;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Feature;
import io.cistern.storage.MemoryListener;
import io.cistern.storage.Storage;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a manager is opened with. Not safe for many threads. */
public final class MemoryManagerBuilder {

  // Read by the manager that is made.
  final Storage storage;
  @Nullable MemoryPoolsConfig pools;
  String name = "unnamed";
  PersistentMemory persistent = PersistentMemory.ENABLED;
  Duration maxWait = Duration.ofSeconds(10);
  boolean tracksPlaces;
  @Nullable MemoryListener listener;
  boolean confined;
  private @Nullable SafetyOptions safety;
  @Nullable PoolLock lock;
  @Nullable UsageCounter deviceTotal;

  MemoryManagerBuilder(Storage storage) {
    this.storage = Objects.requireNonNull(storage, "storage");
  }

  /** The pools; without this, the device's default preset. */
  public MemoryManagerBuilder pools(MemoryPoolsConfig config) {
    this.pools = Objects.requireNonNull(config, "config");
    return this;
  }

  /** A name for messages. */
  public MemoryManagerBuilder name(String text) {
    this.name = Objects.requireNonNull(text, "text");
    return this;
  }

  /** When requests are served by the persistent pool; without this, inside of windows. */
  public MemoryManagerBuilder persistent(PersistentMemory when) {
    this.persistent = Objects.requireNonNull(when, "when");
    return this;
  }

  /**
   * How long a request waits for fences before it is refused; without this, 10 seconds.
   *
   * @param atMost 0: it never waits
   * @throws IllegalArgumentException if the time is negative
   */
  public MemoryManagerBuilder maxWait(Duration atMost) {
    if (atMost.isNegative()) {
      throw ManagerErrors.negativeWait(atMost);
    }
    this.maxWait = atMost;
    return this;
  }

  /**
   * Whether to note where each allocation is asked for, so that leaks and errors say so; without
   * this, not. It costs a walk up the stack for each request, about a microsecond.
   */
  public MemoryManagerBuilder trackPlaces(boolean track) {
    this.tracksPlaces = track;
    return this;
  }

  /**
   * Confines the manager to the thread that opens it: it locks nothing, keeps no magazines, and
   * places every request by best fit. Calls of other threads, also to close an allocation, throw a
   * {@link WrongThreadException}; managers of other threads that run out of memory can't make it
   * give free pages back.
   *
   * <p>Without this, any thread may use the manager.
   */
  public MemoryManagerBuilder confined() {
    this.confined = true;
    return this;
  }

  /**
   * What is watched over, to find faults of the code that uses the memory; without this, what the
   * system property {@value SafetyOptions#PROPERTY} says, or nothing.
   */
  public MemoryManagerBuilder safety(SafetyOptions options) {
    this.safety = Objects.requireNonNull(options, "options");
    return this;
  }

  /** What is watched over, which the device can do. */
  SafetyOptions safety() {
    SafetyOptions options = safety != null ? safety : SafetyOptions.ofProperty();
    DeviceProperties device = storage.properties();
    if (options.touchesBytes() && !device.has(Feature.HOST_ACCESS)) {
      throw ManagerErrors.bytesOutOfReach(device);
    }
    if (options.check() && !device.has(Feature.LENDING)) {
      throw ManagerErrors.lendsNothing(device);
    }
    return options;
  }

  /** Who is told what happens. */
  public MemoryManagerBuilder listener(MemoryListener who) {
    this.listener = Objects.requireNonNull(who, "who");
    return this;
  }

  /** Counts into a device's totals, under the lock that guards them. */
  MemoryManagerBuilder partOf(PoolLock deviceLock, UsageCounter totals) {
    this.lock = deviceLock;
    this.deviceTotal = totals;
    return this;
  }

  /** What stands around the manager's pools. */
  PoolLock lockOrNew() {
    if (lock == null) {
      return confined ? PoolLock.confined() : PoolLock.shared();
    }
    if (confined) {
      throw ManagerErrors.confinedStream();
    }
    return lock;
  }

  /**
   * Opens the manager.
   *
   * @throws LayoutException if the pools can't work on the device
   * @throws IllegalArgumentException if it is {@link #confined} and a stream of a {@link
   *     DeviceMemory}, whose totals are of all streams; if the device can't do what {@link #safety}
   *     wants; or if the system property for it can't be read
   */
  public MemoryManager open() {
    DeviceProperties device = storage.properties();
    MemoryPoolsConfig config = pools != null ? pools : PoolLayout.defaultFor(device);
    MemoryManager manager = new MemoryManager(this, PoolLayout.resolve(config, device));
    StorageUsers.add(storage, manager);
    return manager;
  }
}
