package io.cistern.pool;

import io.cistern.storage.StorageBlock;
import org.jspecify.annotations.Nullable;

/** A driver's block at work in a pool, whole or sliced. */
public final class Page {

  private final Pool pool;
  private final @Nullable StorageBlock block;

  Page(Pool pool, @Nullable StorageBlock block) {
    this.pool = pool;
    this.block = block;
  }

  /** The pool that holds the page. */
  public Pool pool() {
    return pool;
  }

  /** The driver's block; null for the page of zero-sized slices, which needs no memory. */
  public @Nullable StorageBlock block() {
    return block;
  }
}
