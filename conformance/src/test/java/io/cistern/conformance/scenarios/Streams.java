package io.cistern.conformance.scenarios;

import io.cistern.MemoryUsage;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.conformance.Ledger;
import io.cistern.layout.PoolLayout;
import io.cistern.manager.MemoryManager;
import io.cistern.manager.MemoryReport;
import io.cistern.storage.CountingStorage;
import java.util.List;

/** The streams of a scenario: they share one manager, or have one each. */
interface Streams extends AutoCloseable {

  /** The manager that serves a stream. */
  MemoryManager of(String stream);

  /** Opens a stream. */
  void begin(String stream);

  /** Ends a stream. */
  void end(String stream);

  /** How many streams are open. */
  int open();

  /** Gives everything idle back. */
  void trim();

  /** Puts another layout in force. */
  PoolLayout install(MemoryPoolsConfig pools);

  /** What all streams together hold. */
  MemoryUsage usage();

  /** The managers at work. */
  List<MemoryManager> managers();

  /** What each manager holds. */
  default List<MemoryReport> reports() {
    return managers().stream().map(MemoryManager::report).toList();
  }

  /** Checks what holds at every moment. */
  void check(CountingStorage storage, Ledger ledger);

  @Override
  void close();
}
