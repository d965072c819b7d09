package io.cistern.manager;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.FailingStorage;
import io.cistern.storage.Feature;
import io.cistern.storage.MemoryEvent;
import io.cistern.storage.RecordingStorage;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A manager on a small device of alignment 256, with what its tests look at. */
final class Pools implements AutoCloseable {

  static final long BLOCK_ALIGNMENT = 4096;

  final SimulatedStorage device;
  final FailingStorage failing;
  final RecordingStorage storage;
  final MemoryManager manager;
  final List<MemoryEvent> events = new ArrayList<>();
  private final List<Allocation> allocations = new ArrayList<>();

  Pools(long capacity, MemoryPoolConfig... pools) {
    this.device =
        new SimulatedStorage(
            new DeviceProperties(
                "small device",
                MemorySize.of(capacity),
                MemorySize.of(capacity / 4),
                256,
                BLOCK_ALIGNMENT,
                Set.of(Feature.ADDRESS)));
    this.failing = new FailingStorage(device);
    this.storage = new RecordingStorage(failing);
    this.manager =
        MemoryManager.builder(storage)
            .pools(MemoryPoolsConfig.of(pools))
            .name("test")
            .listener(events::add)
            .open();
  }

  Pools(MemoryPoolConfig... pools) {
    this(1L << 40, pools);
  }

  static MemorySize bytes(long count) {
    return MemorySize.of(count);
  }

  static MemoryPoolConfig.Sliced sliced(long pageByteSize) {
    return MemoryPoolConfig.sliced(bytes(pageByteSize));
  }

  static MemoryPoolConfig.Exclusive exclusive(long maxAllocByteSize) {
    return MemoryPoolConfig.exclusive(bytes(maxAllocByteSize));
  }

  Allocation allocate(long byteSize) {
    return allocate(byteSize, 1);
  }

  Allocation allocate(long byteSize, long byteAlignment) {
    Allocation allocation = manager.allocate(byteSize, byteAlignment);
    allocations.add(allocation);
    manager.checkInvariants();
    return allocation;
  }

  void use(long byteSize) {
    allocate(byteSize).close();
    manager.checkInvariants();
  }

  long reserved() {
    return manager.usage().reserved().bytes();
  }

  MemoryReport.PoolReport pool(int index) {
    return manager.report().pools().get(index);
  }

  /** The driver's calls so far, such as {@code +1024} and {@code -1024}. */
  List<String> calls() {
    return storage.calls().stream()
        .map(call -> (call.kind() == StorageCall.Kind.ALLOCATE ? "+" : "-") + call.byteSize())
        .toList();
  }

  @Override
  public void close() {
    failing.recover();
    allocations.stream().filter(Allocation::isAlive).forEach(Allocation::close);
    manager.close();
  }
}
