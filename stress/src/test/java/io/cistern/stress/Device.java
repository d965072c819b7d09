package io.cistern.stress;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Ends device work in some order, and keeps some of it under way. */
final class Device {

  private static final int UNDER_WAY = 64;

  private final LinkedBlockingQueue<Work> begun = new LinkedBlockingQueue<>();
  private final List<Work> underWay = new ArrayList<>();
  private final Random random;
  private volatile boolean over;

  Device(Random random) {
    this.random = random;
  }

  Work begin() {
    Work work = new Work();
    begun.add(work);
    return work;
  }

  /** Until {@link #stop}, and all work has ended. */
  void run() throws InterruptedException {
    while (!over || !begun.isEmpty() || !underWay.isEmpty()) {
      Work next = begun.poll(1, TimeUnit.MILLISECONDS);
      if (next != null) {
        underWay.add(next);
      }
      // Without new work some of the old ends, so that nobody waits for ever.
      if (next == null || underWay.size() > random.nextInt(UNDER_WAY)) {
        endOne();
      }
    }
  }

  private void endOne() {
    if (!underWay.isEmpty()) {
      underWay.remove(random.nextInt(underWay.size())).end();
    }
  }

  void stop() {
    over = true;
  }
}
