package io.cistern.manager;

import io.cistern.MemorySize;
import io.cistern.storage.MemoryEvent;
import io.cistern.storage.MemoryListener;
import java.lang.System.Logger.Level;

/**
 * A listener that writes what happens to a {@link System.Logger} named {@code io.cistern}.
 *
 * <p>Nothing is logged unless a manager is opened with one of these.
 */
public final class MemoryLog implements MemoryListener {

  private static final System.Logger LOGGER = System.getLogger("io.cistern");

  private final String name;
  private final boolean requests;

  private MemoryLog(String name, boolean requests) {
    this.name = name;
    this.requests = requests;
  }

  /**
   * Logs pages made and given back, cleanups, spills and installed layouts.
   *
   * @param name the name that lines begin with
   */
  public static MemoryLog basic(String name) {
    return new MemoryLog(name, false);
  }

  /**
   * As {@link #basic}, and each request served, released and refused.
   *
   * @param name the name that lines begin with
   */
  public static MemoryLog full(String name) {
    return new MemoryLog(name, true);
  }

  @Override
  public boolean wantsRequests() {
    return requests;
  }

  @Override
  public void on(MemoryEvent event) {
    switch (event) {
      case MemoryEvent.PageMade(int pool, long bytes) ->
          log(Level.INFO, "pool " + pool + " got a page of " + size(bytes));
      case MemoryEvent.PageGivenBack(int pool, long bytes) ->
          log(Level.INFO, "pool " + pool + " gave a page of " + size(bytes) + " back");
      case MemoryEvent.PageKept(int pool, long bytes, var cause) ->
          log(
              Level.WARNING,
              "pool " + pool + " keeps a page of " + size(bytes) + ": " + cause.getMessage());
      case MemoryEvent.Spilled(int pool, long bytes, boolean first) ->
          log(
              first ? Level.WARNING : Level.DEBUG,
              "pool " + pool + " is full, a request of " + size(bytes) + " went on to a later one");
      case MemoryEvent.FaultFound _, MemoryEvent.HandleLost _ -> {
        // The manager logs these, whoever listens.
      }
      case MemoryEvent.CleanedUp(long bytes) -> log(Level.INFO, "cleaned up " + size(bytes));
      case MemoryEvent.Installed(var pools) -> log(Level.INFO, "installed " + pools);
      case MemoryEvent.Closed(long count, long bytes, var _) ->
          log(Level.INFO, "closed, " + count + " allocations live, " + size(bytes));
      case MemoryEvent.Served(int pool, long bytes) -> logRequest("served", pool, bytes);
      case MemoryEvent.Released(int pool, long bytes) -> logRequest("released", pool, bytes);
      case MemoryEvent.Refused(long bytes, var error) -> {
        if (requests) {
          log(Level.INFO, "refused " + size(bytes) + ": " + error.getMessage());
        }
      }
    }
  }

  private void logRequest(String what, int pool, long bytes) {
    log(Level.INFO, "pool " + pool + " " + what + " " + size(bytes));
  }

  private void log(Level level, String what) {
    LOGGER.log(level, name + ": " + what);
  }

  private static MemorySize size(long bytes) {
    return MemorySize.of(bytes);
  }
}
