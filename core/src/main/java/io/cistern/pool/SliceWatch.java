package io.cistern.pool;

import io.cistern.safety.ByteWatch;
import io.cistern.storage.StorageBlock;
import org.jspecify.annotations.Nullable;

/**
 * Tells what watches over bytes which of them change owners, as the slices of a pool do.
 *
 * <p>Guarded by the manager's lock.
 */
final class SliceWatch {

  private final Pool pool;
  private final ByteWatch bytes;

  SliceWatch(Pool pool, ByteWatch bytes) {
    this.pool = pool;
    this.bytes = bytes;
  }

  /** The bytes of a slice are an owner's from now on. */
  void taken(int slice) {
    StorageBlock block = pool.block(slice);
    if (block != null) {
      long requested = pool.slices().requested(slice);
      bytes.taken(block, pool.slices().offset(slice), requested, pool.roundUp(requested));
    }
  }

  /** The bytes of a slice are nobody's from now on. */
  void released(int slice) {
    StorageBlock block = pool.block(slice);
    if (block != null) {
      long requested = pool.slices().requested(slice);
      long offset = pool.slices().offset(slice);
      bytes.released(block, offset, requested, pool.roundUp(requested), pool.owner(slice));
    }
  }

  /** A page that a dry run left unmapped is there now, and so are the bytes of its slices. */
  void mapped(int page, StorageBlock block) {
    bytes.mapped(block);
    pool.owned().filter(slice -> pool.slices().page(slice) == page).forEach(this::taken);
  }

  /** A page on which nothing is live goes back to the driver. */
  void goes(StorageBlock block) {
    bytes.goes(block);
  }

  /** All bytes are nobody's from now on, and are looked at once more. */
  void end(@Nullable StorageBlock[] blocks) {
    try {
      pool.owned().forEach(this::released);
      for (StorageBlock block : blocks) {
        if (block != null) {
          bytes.goes(block);
        }
      }
    } catch (IllegalStateException storageClosedFirst) {
      // Then its memory has gone, and there is nothing to look at.
    }
  }
}
