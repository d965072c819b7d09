package io.cistern.conformance.scenarios;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.storage.MemoryEvent;
import io.cistern.storage.MemoryListener;
import java.util.ArrayList;
import java.util.List;

/** What a manager's listener heard. Safe for many threads. */
final class Heard implements MemoryListener {

  private final Hooks hooks;

  // Guarded by this.
  private long served;
  private long servedEmpty;
  private long released;
  private long pagesMade;
  private long pagesGivenBack;
  private int warnings;
  private final List<MemoryEvent.Closed> closed = new ArrayList<>();

  Heard(Hooks hooks) {
    this.hooks = hooks;
  }

  @Override
  public boolean wantsRequests() {
    return true;
  }

  @Override
  public void on(MemoryEvent event) {
    count(event);
    if (event instanceof MemoryEvent.Released) {
      hooks.pass(Hooks.REGION_REUSABLE);
    }
  }

  private synchronized void count(MemoryEvent event) {
    switch (event) {
      case MemoryEvent.Served(var _, long byteSize) -> {
        served++;
        servedEmpty += byteSize == 0 ? 1 : 0;
      }
      case MemoryEvent.Released _ -> released++;
      case MemoryEvent.PageMade _ -> pagesMade++;
      case MemoryEvent.PageGivenBack _ -> pagesGivenBack++;
      case MemoryEvent.Spilled spilled -> warnings += spilled.first() ? 1 : 0;
      case MemoryEvent.Closed end -> closed.add(end);
      default -> {}
    }
  }

  /** Puts what was counted, by the scenarios' words. */
  synchronized void count(ObjectNode counters) {
    counters.put("total_allocs", served);
    counters.put("total_frees", released);
    counters.put("zero_size_allocs", servedEmpty);
    // The storage's blocks are arenas, and a page that is given back is one that is closed.
    counters.put("arena_closes", pagesGivenBack);
  }

  synchronized int warnings() {
    return warnings;
  }

  synchronized long pagesMade() {
    return pagesMade;
  }

  synchronized long pagesGivenBack() {
    return pagesGivenBack;
  }

  /** The ends that were heard; a manager has at most one. */
  synchronized List<MemoryEvent.Closed> closed() {
    return List.copyOf(closed);
  }
}
