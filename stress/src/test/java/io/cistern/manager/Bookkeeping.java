package io.cistern.manager;

/** The equations of a manager's bookkeeping, which core shows to nobody outside of its package. */
public final class Bookkeeping {

  private Bookkeeping() {}

  /** Checks all of them. O(slices), under the manager's lock. */
  public static void check(MemoryManager manager) {
    manager.checkInvariants();
  }
}
