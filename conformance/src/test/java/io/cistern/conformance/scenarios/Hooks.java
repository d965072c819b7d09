package io.cistern.conformance.scenarios;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The points at which a scenario stops a thread so that another goes on.
 *
 * <p>Cistern has one such point: a listener hears of a release on the releasing thread, after the
 * lock is free and before the close returns, which is where a region has become reusable. At any
 * other point the operation is done when its thread stops.
 */
final class Hooks {

  static final String REGION_REUSABLE = "region_reusable";

  /** Only a fault makes a thread wait this long; no test waits for it. */
  private static final long GUARD_SECONDS = 120;

  private final Map<String, Point> points = new ConcurrentHashMap<>();

  // Of one run: its threads end with it.
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<Stop> stop = new ThreadLocal<>();

  private record Point(CountDownLatch reached, CountDownLatch released) {
    Point() {
      this(new CountDownLatch(1), new CountDownLatch(1));
    }
  }

  private record Stop(String thread, String point) {}

  /** Does an operation of a thread, and stops it at a point in it, or else at its end. */
  void stoppingAt(String thread, String point, Runnable operation) {
    stop.set(new Stop(thread, point));
    operation.run();
    pass(point);
  }

  /** The calling thread is at a point; it stops there if it is to. */
  void pass(String point) {
    Stop wanted = stop.get();
    if (wanted != null && wanted.point.equals(point)) {
      stop.remove();
      Point reached = point(wanted.thread + ":" + point);
      reached.reached.countDown();
      await(reached.released, point);
    }
  }

  /** Waits until a thread stands at a point, such as {@code T1:region_reusable}. */
  void await(String name) {
    await(point(name).reached, name);
  }

  /** Lets the thread at a point go on. */
  void release(String name) {
    point(name).released.countDown();
  }

  private Point point(String name) {
    return points.computeIfAbsent(name, _ -> new Point());
  }

  private static void await(CountDownLatch latch, String point) {
    try {
      if (!latch.await(GUARD_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("nobody came to " + point);
      }
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted at " + point, e);
    }
  }
}
