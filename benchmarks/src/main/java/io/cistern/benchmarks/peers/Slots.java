package io.cistern.benchmarks.peers;

/**
 * Numbered places that hold what an allocator handed out, each as the allocator's own type of
 * handle: an object or a number. What a place costs is the same for all: one store into an array.
 *
 * <p>Used by one thread, or by two that hand places over to each other.
 */
public abstract class Slots {

  /** Allocates into a place that is empty. */
  public abstract void allocate(int slot, long byteSize);

  /** Frees what a place holds. */
  public abstract void free(int slot);
}
