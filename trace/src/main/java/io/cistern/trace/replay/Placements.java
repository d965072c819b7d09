package io.cistern.trace.replay;

import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import java.util.function.ObjIntConsumer;

/**
 * Sums up where a pass was served: one number for the pools and offsets of all requests in their
 * order, so that passes of any length can be compared.
 *
 * <p>Each step is a bijection of the number before, of the pool, and of the offset. So passes that
 * differ in one place have different numbers, and those that differ in more have the same one by a
 * chance of 1 in 2<sup>64</sup>.
 */
final class Placements implements Watching {

  /** Stands for the pool of a refused request; pools count from 0, the persistent one is -1. */
  private static final int REFUSED = -2;

  private final ObjIntConsumer<MemoryManager> atOpening;
  private long fingerprint;

  /**
   * Watches a pass.
   *
   * @param atOpening is told each manager, and its stream, before it serves
   */
  Placements(ObjIntConsumer<MemoryManager> atOpening) {
    this.atOpening = atOpening;
  }

  /** The number for all places so far. */
  long fingerprint() {
    return fingerprint;
  }

  @Override
  public void opened(int index, int stream, MemoryManager manager) {
    atOpening.accept(manager, stream);
  }

  @Override
  public void served(Chunk chunk, int row, Allocation handle) {
    add(handle.pool(), handle.byteOffset());
  }

  @Override
  public void refused() {
    add(REFUSED, 0);
  }

  private void add(int pool, long byteOffset) {
    fingerprint = Mixing.mix(Mixing.mix(fingerprint + pool) + byteOffset);
  }
}
