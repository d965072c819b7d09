package io.cistern.jfr;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import jdk.jfr.FlightRecorder;

/**
 * The open watches, and the one hook by which Flight Recorder asks for all of them.
 *
 * <p>One hook and not one a watch, since Flight Recorder takes an event type for one without period
 * as soon as any of its hooks is removed.
 */
final class UsageWatches {

  static final Runnable HOOK = UsageWatches::record;

  // Changed under the lock of this class; the hook is added while there are any. Read without the
  // lock, because Flight Recorder may hold locks of its own when it calls the hook.
  private static final List<UsageWatch> OPEN = new CopyOnWriteArrayList<>();

  private UsageWatches() {}

  static synchronized void add(UsageWatch watch) {
    if (OPEN.isEmpty()) {
      // A hook can be added only for a class that is registered, which happens on first use else.
      FlightRecorder.register(MemoryUsageEvent.class);
      FlightRecorder.addPeriodicEvent(MemoryUsageEvent.class, HOOK);
    }
    OPEN.removeIf(UsageWatch::isOver);
    OPEN.add(watch);
  }

  static synchronized void remove(UsageWatch watch) {
    OPEN.removeIf(open -> open == watch || open.isOver());
    if (OPEN.isEmpty()) {
      FlightRecorder.removePeriodicEvent(HOOK);
    }
  }

  static boolean contains(UsageWatch watch) {
    return OPEN.contains(watch) && !watch.isOver();
  }

  static boolean isEmpty() {
    return OPEN.isEmpty();
  }

  private static void record() {
    OPEN.forEach(UsageWatch::record);
  }
}
