package io.cistern.host;

import io.cistern.manager.Allocation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * An allocation that lives as long as an arena: as that arena's cleanup it goes back to its pool,
 * once.
 *
 * <p>The lease keeps the page's memory while the arena is open, whatever becomes of the manager:
 * the arena's segments would not notice the end of the page's own scope.
 */
@SuppressWarnings("serial") // A mark that costs no further object; never serialised.
final class PooledSlice extends AtomicBoolean implements Consumer<MemorySegment> {

  private final Allocation allocation;
  private final HostBlock block;

  private PooledSlice(Allocation allocation, HostBlock block) {
    this.allocation = allocation;
    this.block = block;
  }

  /** Takes an allocation over; if that fails, it is closed. */
  static PooledSlice of(Allocation allocation) {
    try {
      HostBlock block = allocation.block(HostBlock.class);
      block.lease();
      return new PooledSlice(allocation, block);
    } catch (RuntimeException e) {
      allocation.close();
      throw e;
    }
  }

  /** The slice's memory with an arena's scope; if that fails, the slice goes back. */
  @SuppressWarnings("restricted") // The lease keeps the memory for as long as the segment is alive.
  MemorySegment segment(Arena lifetime) {
    try {
      return block
          .segment()
          .asSlice(allocation.byteOffset(), allocation.byteSize())
          .reinterpret(lifetime, this);
    } catch (RuntimeException e) {
      giveBack();
      throw e;
    }
  }

  @Override
  public void accept(MemorySegment ended) {
    giveBack();
  }

  private void giveBack() {
    if (compareAndSet(false, true)) {
      block.endLease();
      allocation.close();
    }
  }
}
