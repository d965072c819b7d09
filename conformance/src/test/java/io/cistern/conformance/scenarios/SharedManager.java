package io.cistern.conformance.scenarios;

import io.cistern.MemoryUsage;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.conformance.Invariants;
import io.cistern.conformance.Ledger;
import io.cistern.layout.PoolLayout;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.CountingStorage;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One manager for all streams; what orders them are fences. */
final class SharedManager implements Streams {

  private final MemoryManager manager;
  private final Set<String> open = new HashSet<>();

  SharedManager(MemoryManager manager) {
    this.manager = manager;
  }

  @Override
  public MemoryManager of(String stream) {
    return manager;
  }

  @Override
  public void begin(String stream) {
    open.add(stream);
  }

  @Override
  public void end(String stream) {
    open.remove(stream);
  }

  @Override
  public int open() {
    return open.size();
  }

  @Override
  public void trim() {
    manager.trim();
  }

  @Override
  public PoolLayout install(MemoryPoolsConfig pools) {
    manager.install(pools);
    return manager.layout();
  }

  @Override
  public MemoryUsage usage() {
    return manager.usage();
  }

  @Override
  public List<MemoryManager> managers() {
    return List.of(manager);
  }

  @Override
  public void check(CountingStorage storage, Ledger ledger) {
    Invariants.check(manager, storage, ledger);
  }

  @Override
  public void close() {
    manager.close();
  }
}
