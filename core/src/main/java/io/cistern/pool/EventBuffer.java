package io.cistern.pool;

import io.cistern.storage.MemoryEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the events of one operation until the lock is released, when the manager tells them to its
 * listener. A buffer that nobody listens to keeps nothing.
 */
public final class EventBuffer {

  private final boolean wanted;
  private final boolean requestsWanted;
  private List<MemoryEvent> events = new ArrayList<>();

  /**
   * Makes an empty buffer.
   *
   * @param wanted whether anybody listens
   * @param requestsWanted whether each request is listened to
   */
  public EventBuffer(boolean wanted, boolean requestsWanted) {
    this.wanted = wanted;
    this.requestsWanted = requestsWanted;
  }

  /** Whether anybody listens; ask before making an event. */
  public boolean wanted() {
    return wanted;
  }

  /** Whether each request is listened to; ask before making an event of one. */
  public boolean requestsWanted() {
    return requestsWanted;
  }

  /** Keeps an event. */
  public void add(MemoryEvent event) {
    events.add(event);
  }

  /** Takes what was kept, oldest first. */
  public List<MemoryEvent> drain() {
    if (events.isEmpty()) {
      return List.of();
    }
    List<MemoryEvent> drained = events;
    events = new ArrayList<>();
    return drained;
  }
}
