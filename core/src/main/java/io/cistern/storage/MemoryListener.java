package io.cistern.storage;

/**
 * Is told what happens in a manager: pages made and given back, spills, refusals, cleanups.
 *
 * <p>Called by the thread that caused the event, after the manager's lock was released, so it may
 * call the manager. Events of one thread come in order; those of several threads may interleave.
 * What a listener throws is contained: it reaches no user, and is logged.
 */
@FunctionalInterface
public interface MemoryListener {

  /** Hears one event. */
  void on(MemoryEvent event);

  /**
   * Whether to hear of each request served and released, which costs an object a request.
   *
   * @return false unless overridden; asked once, when the manager is opened
   */
  default boolean wantsRequests() {
    return false;
  }
}
