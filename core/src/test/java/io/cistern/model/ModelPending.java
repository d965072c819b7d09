package io.cistern.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Section 7: closed slices that fences keep out of reach. Each waits for the last of its fences
 * first. The fences stand in a ring, and whoever asks goes on where the last one stopped.
 */
final class ModelPending {

  /** A slice and the fences that it may still wait for. */
  static final class Waiting {
    final Region region;
    final List<StepFence> fences;

    Waiting(Region region) {
      this.region = region;
      this.fences = new ArrayList<>(region.fences);
    }
  }

  private final ModelDevice device;
  private final Consumer<Region> free;
  private final LinkedHashMap<StepFence, List<Waiting>> ring = new LinkedHashMap<>();

  /**
   * Makes a ring of no fences.
   *
   * @param free gets each slice that waits no longer
   */
  ModelPending(ModelDevice device, Consumer<Region> free) {
    this.device = device;
    this.free = free;
  }

  /** Whether there is no fence to ask. */
  boolean isEmpty() {
    return ring.isEmpty();
  }

  /** Lets a slice wait, if one of its fences has not passed; whether it does. */
  boolean add(Region region) {
    Waiting waiting = new Waiting(region);
    region.waiting = waiting;
    return waits(waiting);
  }

  private boolean waits(Waiting waiting) {
    while (!waiting.fences.isEmpty()) {
      StepFence last = waiting.fences.getLast();
      if (!device.ask(last)) {
        ring.computeIfAbsent(last, _ -> new ArrayList<>()).add(waiting);
        return true;
      }
      waiting.fences.removeLast();
    }
    waiting.region.waiting = null;
    return false;
  }

  /** Asks the next fences; whether a slice was freed. */
  boolean poll(int atMost) {
    boolean freed = false;
    for (int left = Math.min(atMost, ring.size()); left > 0; left--) {
      Map.Entry<StepFence, List<Waiting>> first = ring.pollFirstEntry();
      if (!device.ask(first.getKey())) {
        ring.putLast(first.getKey(), first.getValue());
        continue;
      }
      for (Waiting waiting : first.getValue()) {
        if (waits(waiting.region, waiting)) {
          continue;
        }
        free.accept(waiting.region);
        freed = true;
      }
    }
    return freed;
  }

  /** Whether a slice has to wait on, or is pending no longer because it was pinned. */
  private boolean waits(Region region, Waiting waiting) {
    return region.waiting != waiting || waits(waiting);
  }

  /** The next fence that keeps a slice of some pools; null if there is none. */
  @Nullable StepFence next(Predicate<ModelPool> pools) {
    for (int left = ring.size(); left > 0; left--) {
      Map.Entry<StepFence, List<Waiting>> first = ring.pollFirstEntry();
      ring.putLast(first.getKey(), first.getValue());
      if (first.getValue().stream()
          .anyMatch(one -> one.region.waiting == one && pools.test(one.region.pool))) {
        return first.getKey();
      }
    }
    return null;
  }
}
