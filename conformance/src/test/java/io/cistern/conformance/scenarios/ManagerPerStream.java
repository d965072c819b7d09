package io.cistern.conformance.scenarios;

import io.cistern.MemoryUsage;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.conformance.Invariants;
import io.cistern.conformance.Ledger;
import io.cistern.layout.PoolLayout;
import io.cistern.manager.DeviceMemory;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.CountingStorage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A manager for each stream, of one device's memory. */
final class ManagerPerStream implements Streams {

  private final DeviceMemory memory;

  // Scenarios name streams by words too; each word stands for a number of its own.
  private final Map<String, Integer> numbers = new HashMap<>();

  ManagerPerStream(DeviceMemory memory) {
    this.memory = memory;
  }

  private synchronized int number(String stream) {
    return numbers.computeIfAbsent(stream, _ -> numbers.size());
  }

  @Override
  public MemoryManager of(String stream) {
    return memory.stream(number(stream));
  }

  @Override
  public void begin(String stream) {
    memory.stream(number(stream));
  }

  @Override
  public void end(String stream) {
    memory.closeStream(number(stream));
  }

  @Override
  public int open() {
    return memory.streams().size();
  }

  @Override
  public void trim() {
    memory.trim();
  }

  @Override
  public PoolLayout install(MemoryPoolsConfig pools) {
    memory.install(pools);
    return managers().getFirst().layout();
  }

  @Override
  public MemoryUsage usage() {
    return memory.usage();
  }

  @Override
  public List<MemoryManager> managers() {
    return List.copyOf(memory.streams().values());
  }

  @Override
  public void check(CountingStorage storage, Ledger ledger) {
    Invariants.check(memory, storage, ledger);
  }

  @Override
  public void close() {
    memory.close();
  }
}
