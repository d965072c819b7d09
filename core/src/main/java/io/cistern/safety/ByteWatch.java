package io.cistern.safety;

import io.cistern.LiveAllocation;
import io.cistern.MemoryFault;
import io.cistern.config.SafetyOptions;
import io.cistern.storage.StorageBlock;
import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Fills, zeroes and looks at the bytes of slices as they change owners.
 *
 * <p>With poison the free bytes of a block hold one pattern, as far as the block was ever used:
 * what lies above has never been anybody's, and is left untouched, so that memory is not made real
 * for it. Costs as much as writing and reading the bytes of each slice once.
 *
 * <p>Guarded by the manager's lock.
 */
public final class ByteWatch {

  private static final byte POISON = (byte) 0xDB;
  private static final byte RED = (byte) 0xBD;

  private final SafetyOptions options;
  private final byte freed;
  private final Consumer<MemoryFault> faults;

  // Blocks that have been used; with poison alone.
  private final IdentityHashMap<StorageBlock, PoisonedBlock> blocks = new IdentityHashMap<>();

  /**
   * Makes a watch.
   *
   * @param faults takes what is found; called under the lock
   */
  public ByteWatch(SafetyOptions options, Consumer<MemoryFault> faults) {
    this.options = options;
    this.freed = options.zeroOnFree() ? 0 : POISON;
    this.faults = faults;
  }

  /**
   * The bytes of a slice become an owner's.
   *
   * @param byteOffset where they begin in the block
   * @param requested the size that was asked for, with its red zone
   * @param taken the size rounded up
   */
  public void taken(StorageBlock block, long byteOffset, long requested, long taken) {
    MemorySegment bytes = block.segment();
    if (options.poison()) {
      poisoned(block).take(bytes, byteOffset, taken);
    }
    long usable = usable(requested);
    if (options.zeroOnAllocate()) {
      bytes.asSlice(byteOffset, usable).fill((byte) 0);
    }
    if (usable < requested) {
      bytes.asSlice(byteOffset + usable, taken - usable).fill(RED);
    }
  }

  /**
   * The bytes of a slice are nobody's any more.
   *
   * @param owner who had them
   */
  public void released(
      StorageBlock block, long byteOffset, long requested, long taken, LiveAllocation owner) {
    MemorySegment bytes = block.segment();
    long usable = usable(requested);
    if (usable < requested) {
      lookForOverrun(block, byteOffset + usable, taken - usable, owner);
    }
    if (options.poison()) {
      poisoned(block).release(bytes, byteOffset, taken, owner);
    } else if (options.zeroOnFree()) {
      bytes.asSlice(byteOffset, taken).fill((byte) 0);
    }
  }

  /** What a request's owner may use: all but the red zone. */
  private long usable(long requested) {
    return requested - options.redZones().bytes();
  }

  private void lookForOverrun(
      StorageBlock block, long byteOffset, long byteSize, LiveAllocation owner) {
    MemorySegment zone = block.segment().asSlice(byteOffset, byteSize);
    long first = Bytes.firstChanged(zone, RED);
    if (first >= 0) {
      long size = Bytes.lastChanged(zone, RED) - first + 1;
      faults.accept(
          new MemoryFault(
              MemoryFault.Kind.OVERRUN,
              block.toString(),
              byteOffset + first,
              size,
              Optional.of(owner)));
    }
  }

  /** A block that a dry run left unmapped is there now; what is taken of it is told next. */
  public void mapped(StorageBlock block) {
    if (options.poison()) {
      poisoned(block).fillAll(block.segment());
    }
  }

  /** A block on which nothing is live goes back to the driver. */
  public void goes(StorageBlock block) {
    PoisonedBlock poisoned = blocks.remove(block);
    if (poisoned != null) {
      poisoned.check(block.segment());
    }
  }

  private PoisonedBlock poisoned(StorageBlock block) {
    return blocks.computeIfAbsent(block, made -> new PoisonedBlock(made.toString(), freed, faults));
  }
}
