package io.cistern.model;

import io.cistern.MemoryUsage;
import io.cistern.storage.StorageBlock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What stands around the managers, by the rules: the driver, the fences, and the managers of the
 * same device. Each thing that the rules make a manager ask is checked against what it did ask, in
 * order.
 */
final class ModelDevice {

  /** What the managers asked, and the rules have not accounted for yet. */
  final ArrayDeque<Call> calls;

  /** All managers that have not ended, in the order in which they were opened. */
  final List<ModelManager> managers = new ArrayList<>();

  /** The peaks of all managers together. */
  final Peaks peaks = new Peaks();

  private final WatchedDriver driver;
  private final long capacity;
  private long handedOut;

  ModelDevice(WatchedDriver driver, ArrayDeque<Call> calls) {
    this.driver = driver;
    this.calls = calls;
    this.capacity = driver.properties().total().bytes();
  }

  /** Asks for a block; whether the driver has to give it. */
  boolean make(long byteSize) {
    boolean grants = !driver.refusesBlocks && byteSize <= capacity - handedOut;
    take(new Call.Made(byteSize, grants));
    handedOut += grants ? byteSize : 0;
    return grants;
  }

  /** Gives a block back; whether the driver has to take it. */
  boolean free(StorageBlock block) {
    boolean takes = !driver.refusesFrees;
    take(new Call.Freed(block, takes));
    handedOut -= takes ? block.byteSize() : 0;
    return takes;
  }

  /** Asks a fence whether it has passed. */
  boolean ask(StepFence fence) {
    take(new Call.Asked(fence, fence.isPastByTheRules));
    return fence.isPastByTheRules;
  }

  /** Waits for a fence. */
  void await(StepFence fence) {
    take(new Call.Awaited(fence));
    fence.isPastByTheRules = true;
  }

  private void take(Call byTheRules) {
    Rule.same(calls.poll(), byTheRules, "the next call");
  }

  /** The next thing that a manager asked; null if that was all. */
  @Nullable Call next() {
    return calls.peek();
  }

  /** The size of the next block that a manager asked for. */
  long nextMade() {
    Rule.holds(calls.peek() instanceof Call.Made, "a block is asked for next");
    return ((Call.Made) Objects.requireNonNull(calls.peek())).byteSize();
  }

  /** Section 5: cleans up all managers of the device, none while one of them captures. */
  void cleanUp() {
    if (managers.stream().noneMatch(manager -> manager.capture != null)) {
      List.copyOf(managers).forEach(ModelManager::cleanUp);
    }
  }

  /** Nothing was asked beyond what the rules made the managers ask. */
  void checkAsked() {
    Rule.same(next(), null, "one more call");
  }

  long handedOut() {
    return handedOut;
  }

  void raisePeaks() {
    peaks.raise(allPools());
  }

  /** What the memory of all managers together is used for. */
  MemoryUsage usage() {
    return peaks.usage(allPools());
  }

  private List<ModelPool> allPools() {
    return managers.stream().flatMap(ModelManager::allPools).toList();
  }
}
