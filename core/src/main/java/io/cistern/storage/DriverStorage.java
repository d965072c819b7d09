package io.cistern.storage;

import io.cistern.DeviceMemoryException;
import io.cistern.MemorySize;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A storage on a driver: keeps account of the blocks that are out and of the driver's limits, so
 * that a device is left with the driver's calls alone.
 *
 * <p>Safe for many threads: the driver's calls are made one at a time. An allocation and a
 * give-back cost O(1) beside the driver's.
 *
 * @param <B> the device's own block
 */
public abstract class DriverStorage<B extends StorageBlock> implements Storage {

  /** Stands for a limit that a driver does not have. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  private final DeviceProperties properties;
  private final Class<B> blockType;
  private final long maxBlockByteSize;
  private final long maxBlocks;

  // Written under this. Read without by freeLeftOut, which most calls of find nothing to do.
  private volatile boolean closed;

  // Guarded by this: out = sum of blocks' sizes, 0 <= out <= total; at most maxBlocks of them, each
  // of at most maxBlockByteSize.
  private final Set<B> blocks = new HashSet<>();
  private long out;

  /**
   * Makes a storage with nothing out.
   *
   * @param properties what the device is; {@code total} is the most that may be out at once
   * @param blockType the device's own block, which has identity and no {@code equals}
   * @param maxBlockByteSize the most that a single block may have, in bytes, or {@link #UNLIMITED}
   * @param maxBlocks the most blocks that may be out at once, or {@link #UNLIMITED}
   */
  protected DriverStorage(
      DeviceProperties properties, Class<B> blockType, long maxBlockByteSize, long maxBlocks) {
    this.properties = properties;
    this.blockType = blockType;
    this.maxBlockByteSize = maxBlockByteSize;
    this.maxBlocks = maxBlocks;
  }

  /**
   * Has the driver make a block.
   *
   * @param byteSize the size in bytes, above 0 and within the limits
   * @throws DeviceMemoryException if the driver refuses; nothing changed
   */
  protected abstract B make(long byteSize);

  /**
   * Has the driver take a block back. When this returns, any use of the block is refused.
   *
   * @param block one that {@link #make} made, and that has not been given back
   * @throws DeviceMemoryException if the driver refuses; the block is as valid as before
   */
  protected abstract void giveBack(B block);

  /**
   * Ends the driver's side, after all blocks were given back that could be. Called by each close.
   *
   * @return whether the blocks that could not be given back are gone with it
   */
  protected abstract boolean end();

  @Override
  public final DeviceProperties properties() {
    return properties;
  }

  @Override
  public final synchronized B allocate(long byteSize) {
    if (closed) {
      throw StorageErrors.closed(properties.name());
    }
    if (byteSize <= 0) {
      throw StorageErrors.noSize(byteSize);
    }
    long capacity = properties.total().bytes();
    if (byteSize > capacity - out) {
      throw StorageErrors.outOfMemory(properties.name(), byteSize, out, capacity);
    }
    if (byteSize > maxBlockByteSize) {
      throw StorageErrors.blockTooLarge(properties.name(), byteSize, maxBlockByteSize);
    }
    if (blocks.size() >= maxBlocks) {
      throw StorageErrors.tooManyBlocks(properties.name(), byteSize, maxBlocks);
    }
    B block = make(byteSize);
    blocks.add(block);
    out += byteSize;
    return block;
  }

  @Override
  public final synchronized void free(StorageBlock block) {
    if (!blockType.isInstance(block) || !blocks.contains(block)) {
      throw StorageErrors.foreignBlock(properties.name(), block);
    }
    B mine = blockType.cast(block);
    giveBack(mine);
    blocks.remove(mine);
    out -= mine.byteSize();
  }

  @Override
  public final synchronized void close() {
    closed = true;
    for (B block : List.copyOf(blocks)) {
      freeIfPossible(block);
    }
    if (end()) {
      blocks.clear();
      out = 0;
    }
  }

  private void freeIfPossible(B block) {
    try {
      free(block);
    } catch (DeviceMemoryException e) {
      // It stays in the set, where the next close finds it, or goes with the driver's side.
    }
  }

  /**
   * Gives a block back that a close had to leave out, if it can be given back now. Nothing happens
   * while this storage is open, or if the block is back already.
   */
  protected final void freeLeftOut(B block) {
    if (closed) {
      synchronized (this) {
        if (blocks.contains(block)) {
          freeIfPossible(block);
        }
      }
    }
  }

  /** The sum of the sizes of the blocks that are out, as they were asked for. */
  public final synchronized MemorySize allocated() {
    return MemorySize.of(out);
  }

  /** How many blocks are out. */
  public final synchronized int blocksOut() {
    return blocks.size();
  }
}
