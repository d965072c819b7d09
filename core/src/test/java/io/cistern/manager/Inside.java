package io.cistern.manager;

import io.cistern.storage.StorageBlock;
import java.util.Optional;

/** What tests outside of this package may see of a manager's inside. */
public final class Inside {

  private Inside() {}

  /** Checks every equation of a manager's bookkeeping. O(slices). */
  public static void check(MemoryManager manager) {
    manager.checkInvariants();
  }

  /** The number of the page that a live allocation is on; 0 if it is zero-sized. */
  public static int page(Allocation allocation) {
    return allocation.servedBy().slices().page(allocation.slice());
  }

  /** The bytes that a live allocation takes of its page. */
  public static long taken(Allocation allocation) {
    return allocation.servedBy().slices().byteSize(allocation.slice());
  }

  /** The block of a live allocation's page; none if the page is not mapped. Maps nothing. */
  public static Optional<StorageBlock> block(Allocation allocation) {
    return Optional.ofNullable(allocation.servedBy().block(allocation.slice()));
  }
}
