package io.cistern.jfr;

import io.cistern.manager.MemoryManager;
import io.cistern.storage.MemoryEvent;
import io.cistern.storage.MemoryListener;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A listener that tells Flight Recorder what happens in a manager; {@link #watch} adds what its
 * memory is used for, each period.
 *
 * <p>One recorder is for one manager. Every event is off until a recording turns it on; all but the
 * usage are recorded by the thread that caused them. Safe for many threads.
 */
public final class MemoryFlightRecorder implements MemoryListener {

  private final String name;
  private final boolean requests;

  // Guarded by this: no watch is open once the manager is closed.
  private @Nullable UsageWatch watch;
  private boolean closed;

  private MemoryFlightRecorder(String name, boolean requests) {
    this.name = Objects.requireNonNull(name, "name");
    this.requests = requests;
  }

  /**
   * Records pages, spills, refusals, cleanups, installed layouts and the close.
   *
   * @param name the name that events carry, as a rule the manager's
   */
  public static MemoryFlightRecorder basic(String name) {
    return new MemoryFlightRecorder(name, false);
  }

  /**
   * As {@link #basic}, and each request served and released. This costs a few objects a request,
   * also while no recording wants them.
   *
   * @param name the name that events carry, as a rule the manager's
   */
  public static MemoryFlightRecorder full(String name) {
    return new MemoryFlightRecorder(name, true);
  }

  /**
   * This recorder and then another listener, for a manager that is to have both.
   *
   * <p>What the other throws reaches the manager, which contains it; the event is recorded by then.
   *
   * @param next the other listener; asked here whether it {@linkplain #wantsRequests wants
   *     requests}, and told of them only if so
   */
  public MemoryListener andThen(MemoryListener next) {
    return new ListenerPair(this, Objects.requireNonNull(next, "next"));
  }

  /**
   * Records the manager's usage each period as {@code io.cistern.MemoryUsage}, from now on until
   * the watch or the manager is closed.
   *
   * <p>That the manager was closed is known where this recorder listens to it. One that it does not
   * listen to, such as a stream of a device memory, is recorded, empty, until the watch is closed;
   * or the manager is garbage, since it is not kept alive here. Flight Recorder reads the usage on
   * a thread of its own, in O(1), and waits for the manager's lock meanwhile.
   *
   * @return the watch; to be closed only if it is to end before the manager
   * @throws IllegalStateException if this recorder watches a manager already, or has heard that its
   *     manager was closed
   */
  public synchronized UsageWatch watch(MemoryManager manager) {
    Objects.requireNonNull(manager, "manager");
    if (closed) {
      throw RecorderErrors.managerClosed(name);
    }
    if (watch != null && UsageWatches.contains(watch)) {
      throw RecorderErrors.alreadyWatching(name);
    }
    watch = new UsageWatch(name, manager);
    UsageWatches.add(watch);
    return watch;
  }

  private synchronized void end() {
    closed = true;
    if (watch != null) {
      watch.close();
    }
  }

  @Override
  public boolean wantsRequests() {
    return requests;
  }

  @Override
  public void on(MemoryEvent event) {
    switch (event) {
      case MemoryEvent.PageMade(int pool, long bytes) ->
          new PageMadeEvent(name, pool, bytes).commit();
      case MemoryEvent.PageGivenBack(int pool, long bytes) ->
          new PageGivenBackEvent(name, pool, bytes).commit();
      case MemoryEvent.PageKept(int pool, long bytes, var cause) ->
          new PageKeptEvent(name, pool, bytes, cause).commit();
      case MemoryEvent.Spilled(int pool, long bytes, boolean first) ->
          new SpilledEvent(name, pool, bytes, first).commit();
      case MemoryEvent.Served(int pool, long bytes) -> new ServedEvent(name, pool, bytes).commit();
      case MemoryEvent.Released(int pool, long bytes) ->
          new ReleasedEvent(name, pool, bytes).commit();
      case MemoryEvent.Refused(long bytes, var error) ->
          new RefusedEvent(name, bytes, error).commit();
      case MemoryEvent.FaultFound(var fault) -> new FaultFoundEvent(name, fault).commit();
      case MemoryEvent.HandleLost(var site) -> new HandleLostEvent(name, site).commit();
      case MemoryEvent.CleanedUp(long bytes) -> new CleanedUpEvent(name, bytes).commit();
      case MemoryEvent.Installed(var pools) -> new InstalledEvent(name, pools).commit();
      case MemoryEvent.Closed(long allocations, long bytes, var _) -> {
        end();
        new ClosedEvent(name, allocations, bytes).commit();
      }
    }
  }
}
