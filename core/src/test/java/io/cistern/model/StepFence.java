package io.cistern.model;

import io.cistern.storage.Fence;
import java.time.Duration;
import java.util.Queue;

/** A fence that passes at a step of a program, or when somebody waits for it. */
final class StepFence implements Fence {

  private final String name;
  private final Queue<Call> calls;
  private boolean isPast;

  /** Whether it has passed by what the model has followed so far. */
  boolean isPastByTheRules;

  /**
   * Makes a fence that has not passed.
   *
   * @param calls where it notes who asks it
   */
  StepFence(String name, Queue<Call> calls) {
    this.name = name;
    this.calls = calls;
  }

  /** The work is done. */
  void pass() {
    isPast = true;
    isPastByTheRules = true;
  }

  @Override
  public boolean hasPassed() {
    calls.add(new Call.Asked(this, isPast));
    return isPast;
  }

  @Override
  public boolean await(Duration atMost) {
    calls.add(new Call.Awaited(this));
    isPast = true;
    return true;
  }

  @Override
  public String toString() {
    return name;
  }
}
