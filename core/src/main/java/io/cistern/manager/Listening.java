package io.cistern.manager;

import io.cistern.LeakSite;
import io.cistern.LiveAllocation;
import io.cistern.MemoryFault;
import io.cistern.pool.EventBuffer;
import io.cistern.storage.MemoryEvent;
import io.cistern.storage.MemoryListener;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tells a manager's events to its listener, and keeps what the listener throws from the users. */
final class Listening {

  private static final System.Logger LOGGER = System.getLogger("io.cistern");

  /** How many live allocations a warning lists. */
  private static final int SHOWN = 20;

  private final String managerName;
  private final @Nullable MemoryListener listener;

  Listening(String managerName, @Nullable MemoryListener listener) {
    this.managerName = managerName;
    this.listener = listener;
  }

  EventBuffer newBuffer() {
    return new EventBuffer(listener != null, listener != null && listener.wantsRequests());
  }

  /** Tells events, oldest first; the manager's lock must not be held. */
  @SuppressWarnings("CatchAndPrintStackTrace")
  void tell(List<MemoryEvent> events) {
    for (MemoryEvent event : events) {
      warnOfFault(event);
      if (listener == null) {
        continue;
      }
      try {
        listener.on(event);
      } catch (Throwable e) {
        // Whatever it is, it is the listener's: a request that was served must reach its caller.
        LOGGER.log(
            System.Logger.Level.WARNING,
            "the listener of memory manager \"" + managerName + "\" failed on " + event,
            e);
      }
    }
  }

  /** What nobody should miss is logged, whoever listens. */
  private void warnOfFault(MemoryEvent event) {
    switch (event) {
      case MemoryEvent.FaultFound(MemoryFault fault) ->
          LOGGER.log(System.Logger.Level.ERROR, "memory manager \"{0}\": {1}", managerName, fault);
      case MemoryEvent.HandleLost(LeakSite site) ->
          LOGGER.log(
              System.Logger.Level.WARNING,
              "memory manager \"{0}\": a handle was lost without being closed: {1}",
              managerName,
              site);
      default -> {}
    }
  }

  void warnOfSites(List<LeakSite> sites) {
    for (LeakSite site : sites.subList(0, Math.min(SHOWN, sites.size()))) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "memory manager \"{0}\" was closed with live handles: {1}",
          managerName,
          site);
    }
  }

  void warnOfLive(List<LiveAllocation> live, long byteSize) {
    String shown =
        live.stream().limit(SHOWN).map(one -> "\n  " + one).collect(Collectors.joining());
    String rest = live.size() > SHOWN ? "\n  and " + (live.size() - SHOWN) + " more" : "";
    LOGGER.log(
        System.Logger.Level.WARNING,
        "memory manager \"{0}\" was closed with {1} live allocations of {2} bytes{3}{4}",
        managerName,
        Integer.toString(live.size()),
        Long.toString(byteSize),
        shown,
        rest);
  }
}
