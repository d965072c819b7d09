package io.cistern.manager;

import io.cistern.MemoryFault;
import io.cistern.pool.EventBuffer;
import io.cistern.storage.MemoryEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Keeps the first faults that were found, and tells all. Guarded by the manager's lock. */
final class FaultLog implements Consumer<MemoryFault> {

  /** So many, as a program that goes wrong in a loop must not fill the heap with them. */
  static final int KEPT = 1000;

  private final EventBuffer events;
  private final List<MemoryFault> kept = new ArrayList<>();

  FaultLog(EventBuffer events) {
    this.events = events;
  }

  @Override
  public void accept(MemoryFault fault) {
    if (kept.size() < KEPT) {
      kept.add(fault);
    }
    events.add(new MemoryEvent.FaultFound(fault));
  }

  List<MemoryFault> toList() {
    return List.copyOf(kept);
  }
}
