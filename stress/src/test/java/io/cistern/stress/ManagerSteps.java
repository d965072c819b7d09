package io.cistern.stress;

import io.cistern.AllocationException;
import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.Bookkeeping;
import io.cistern.manager.Capture;
import io.cistern.manager.DryRun;
import io.cistern.manager.PersistentWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What a thread does with whole managers. */
final class ManagerSteps {

  private final World world;
  private final Random random;
  private long installed;

  ManagerSteps(World world, Random random) {
    this.world = world;
    this.random = random;
  }

  long installed() {
    return installed;
  }

  void report() {
    Target target = world.anyTarget(random);
    Equations.check(target.manager.report());
    // The inner equations are of managers that are open, and cost a walk over all slices.
    if (target.lasts && random.nextInt(4) == 0) {
      Bookkeeping.check(target.manager);
    }
  }

  void trim() {
    if (random.nextInt(4) == 0) {
      trimStreams();
      return;
    }
    Target target = world.anyTarget(random);
    try {
      target.manager.trim();
    } catch (IllegalStateException ended) {
      target.requireEnded(ended);
    }
  }

  private void trimStreams() {
    try {
      world.streams.trim();
    } catch (IllegalStateException oneEndedMeanwhile) {
      return;
    }
  }

  void install() {
    MemoryPoolsConfig pools = random.nextBoolean() ? World.capped() : World.open();
    try {
      switch (random.nextInt(4)) {
        case 0 -> installInStreams(pools);
        case 1 -> world.brief.get().manager.install(pools);
        default -> world.sparse.manager.install(pools);
      }
      installed++;
    } catch (IllegalStateException liveOrClosedOrInCapture) {
      return;
    }
  }

  /** Streams that have just begun have nothing pending, for which an install would wait long. */
  private void installInStreams(MemoryPoolsConfig pools) {
    for (int i = 0; i < World.STREAMS; i++) {
      world.endStream(i);
    }
    if (world.streams.usage().pending().equals(MemorySize.ZERO)) {
      world.streams.install(pools);
    }
  }

  void window() {
    PersistentWindow window = random.nextBoolean() ? world.windows.poll() : openWindow();
    if (window != null && (random.nextBoolean() || !world.windows.offer(window))) {
      window.close();
    }
  }

  private @Nullable PersistentWindow openWindow() {
    Target target = world.anyTarget(random);
    try {
      return target.manager.openPersistentWindow();
    } catch (IllegalStateException ended) {
      target.requireEnded(ended);
      return null;
    }
  }

  void dryRun() {
    DryRun dryRun = random.nextBoolean() ? world.dryRuns.poll() : openDryRun();
    if (dryRun != null && (random.nextBoolean() || !world.dryRuns.offer(dryRun))) {
      dryRun.close();
    }
  }

  private @Nullable DryRun openDryRun() {
    Target target = world.anyTarget(random);
    try {
      return target.manager.openDryRun();
    } catch (IllegalStateException ended) {
      target.requireEnded(ended);
      return null;
    }
  }

  /** The steady manager is captured alone, see below. */
  void beginCapture() {
    Target target = world.anyTarget(random);
    if (target == world.steady) {
      return;
    }
    try {
      Capture capture = target.manager.beginCapture();
      if (!world.captures.offer(new Running(target, capture))) {
        capture.close();
      }
    } catch (IllegalStateException ended) {
      target.requireEnded(ended);
    }
  }

  void endCapture() {
    Running running = world.captures.poll();
    if (running == null) {
      return;
    }
    Capture capture = running.capture();
    if (random.nextBoolean()) {
      capture.endPriming();
      if (!world.captures.offer(running)) {
        capture.close();
      }
    } else {
      pin(new Pinned(running.target(), capture.end(), List.of()));
    }
  }

  private void pin(Pinned pinned) {
    if (!world.pins.offer(pinned)) {
      pinned.close();
    }
  }

  /** A capture in which only this thread asks, so that it knows what the pinned slices hold. */
  void captureAlone() {
    Target target = world.steady;
    List<Written> written = new ArrayList<>();
    target.requests.writeLock().lock();
    try {
      Capture capture = target.manager.beginCapture();
      for (int i = random.nextInt(8); i >= 0; i--) {
        Holding holding =
            HandleSteps.write(target, target.manager.allocate(World.byteSize(random)), random);
        if (holding.written() != null) {
          written.add(holding.written());
        }
        if (random.nextBoolean() || !world.holdings.offer(holding)) {
          holding.allocation().close();
        }
      }
      pin(new Pinned(target, capture.end(), written));
    } catch (AllocationException full) {
      target.manager.beginCapture().close();
    } finally {
      target.requests.writeLock().unlock();
    }
  }

  void unpin() {
    Pinned pinned = world.pins.poll();
    if (pinned != null) {
      pinned.close();
    }
  }

  void replaceBrief() {
    Target ended = world.brief.getAndSet(world.openBrief());
    ended.close();
    ended.close();
  }
}
