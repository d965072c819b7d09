package io.cistern.jfr;

import io.cistern.storage.MemoryEvent;
import io.cistern.storage.MemoryListener;

/** Two listeners, each of which hears of requests only if it wants to. */
final class ListenerPair implements MemoryListener {

  private final MemoryListener first;
  private final MemoryListener second;
  private final boolean firstWantsRequests;
  private final boolean secondWantsRequests;

  ListenerPair(MemoryListener first, MemoryListener second) {
    this.first = first;
    this.second = second;
    this.firstWantsRequests = first.wantsRequests();
    this.secondWantsRequests = second.wantsRequests();
  }

  @Override
  public boolean wantsRequests() {
    return firstWantsRequests || secondWantsRequests;
  }

  @Override
  public void on(MemoryEvent event) {
    boolean ofRequest =
        event instanceof MemoryEvent.Served || event instanceof MemoryEvent.Released;
    if (!ofRequest || firstWantsRequests) {
      first.on(event);
    }
    if (!ofRequest || secondWantsRequests) {
      second.on(event);
    }
  }
}
