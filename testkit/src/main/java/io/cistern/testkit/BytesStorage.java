package io.cistern.testkit;

import io.cistern.DeviceMemoryException;
import io.cistern.DeviceMemoryException.Reason;
import io.cistern.MemorySize;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.DriverStorage;
import io.cistern.storage.Feature;
import io.cistern.storage.StorageBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A device with real bytes and whatever alignments and capacity a test wants.
 *
 * <p>Blocks have real addresses at multiples of the block alignment, and segments that throw {@link
 * IllegalStateException} after the give-back. Bytes are zero at first. A block takes memory when
 * its segment or address is first asked for, so that one that is only counted costs an object,
 * whatever its size; one that has memory costs some 40 µs to give back.
 *
 * <p>Safe for many threads. Makes no restricted call.
 */
public final class BytesStorage extends DriverStorage<StorageBlock> {

  private static final MemorySize PLENTY = MemorySize.ofGiB(1L << 20);

  private BytesStorage(DeviceProperties properties) {
    super(properties, StorageBlock.class, UNLIMITED, UNLIMITED);
  }

  /**
   * Makes a device without a limit to speak of.
   *
   * @param byteAlignment of slices, in bytes: a power of two
   * @param blockAlignment of blocks, in bytes: a power of two, at least {@code byteAlignment}
   * @throws IllegalArgumentException if an alignment is not as above
   */
  public static BytesStorage of(long byteAlignment, long blockAlignment) {
    return of(byteAlignment, blockAlignment, PLENTY);
  }

  /**
   * Makes a device.
   *
   * @param byteAlignment of slices, in bytes: a power of two
   * @param blockAlignment of blocks, in bytes: a power of two, at least {@code byteAlignment}
   * @param capacity the most bytes that may be out at once
   * @throws IllegalArgumentException if an alignment is not as above
   */
  public static BytesStorage of(long byteAlignment, long blockAlignment, MemorySize capacity) {
    if (Long.bitCount(byteAlignment) != 1
        || Long.bitCount(blockAlignment) != 1
        || byteAlignment < 1
        || blockAlignment < byteAlignment) {
      throw new IllegalArgumentException(
          "alignments are powers of two, and blocks have at least that of slices; not "
              + byteAlignment
              + " and "
              + blockAlignment);
    }
    return new BytesStorage(
        new DeviceProperties(
            "test bytes",
            capacity,
            MemorySize.of(capacity.bytes() / 4),
            byteAlignment,
            blockAlignment,
            Set.of(Feature.HOST_ACCESS, Feature.COPY, Feature.ADDRESS)));
  }

  @Override
  protected StorageBlock make(long byteSize) {
    return new Block(byteSize, properties().blockAlignment());
  }

  @Override
  protected void giveBack(StorageBlock block) {
    ((Block) block).end();
  }

  /** Nothing ends: a block in a native call can be given back later. */
  @Override
  protected boolean end() {
    return false;
  }

  private static final class Block implements StorageBlock {

    private final long byteSize;
    private final long byteAlignment;

    // Guarded by this: the segment's scope is the arena's, and both are there or neither.
    private @Nullable Arena arena;
    private @Nullable MemorySegment segment;
    private boolean ended;

    Block(long byteSize, long byteAlignment) {
      this.byteSize = byteSize;
      this.byteAlignment = byteAlignment;
    }

    @Override
    public long byteSize() {
      return byteSize;
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // Closed in end().
    public synchronized MemorySegment segment() {
      MemorySegment found = segment;
      if (found == null) {
        if (ended) {
          throw new IllegalStateException(this + " was given back");
        }
        Arena own = Arena.ofShared();
        found = own.allocate(byteSize, byteAlignment);
        arena = own;
        segment = found;
      }
      return found;
    }

    @Override
    public long address() {
      return segment().address();
    }

    synchronized void end() {
      if (arena != null) {
        try {
          arena.close();
        } catch (IllegalStateException e) {
          throw new DeviceMemoryException(this + " is being accessed", byteSize, Reason.IN_USE, e);
        }
      }
      arena = null;
      ended = true;
    }

    @Override
    public String toString() {
      return "test block of " + byteSize + " bytes";
    }
  }
}
