package io.cistern.storage;

import io.cistern.MemorySize;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * A device that has addresses and no memory: what layouts cost can be tried without the device.
 *
 * <p>It gives blocks up to its capacity, at addresses that are multiples of its block alignment and
 * do not overlap while the blocks are out.
 */
public final class SimulatedStorage implements Storage {

  /** The memory of a large accelerator, so that presets look like on one. */
  private static final MemorySize DEFAULT_CAPACITY = MemorySize.ofGiB(80);

  /** What GPU drivers promise for slices and give for blocks. */
  private static final long DEFAULT_BYTE_ALIGNMENT = 256;

  private static final long DEFAULT_BLOCK_ALIGNMENT = 64 * 1024;

  private final DeviceProperties properties;

  // Guarded by this: allocated = sum of the sizes of the blocks that are out <= capacity; each of
  // them ends at or below next.
  private long allocated;
  private long next;
  private boolean closed;

  /**
   * Makes a device.
   *
   * @param properties its name, capacity ({@code total}), alignments and features
   * @throws IllegalArgumentException if an alignment is no power of two
   */
  public SimulatedStorage(DeviceProperties properties) {
    checkAlignment(properties.byteAlignment());
    checkAlignment(properties.blockAlignment());
    this.properties = properties;
    this.next = properties.blockAlignment();
  }

  /**
   * A device like a large accelerator, as far as the options do not say otherwise.
   *
   * @throws IllegalArgumentException if an option can't be met
   */
  public static SimulatedStorage open(StorageOptions options) {
    if (options.index() != 0) {
      throw StorageErrors.noDevice(SimulatedStorageProvider.NAME, options.index(), 1);
    }
    options.checkSettings(SimulatedStorageProvider.NAME);
    MemorySize capacity = options.capacity().orElse(DEFAULT_CAPACITY);
    long alignment = options.byteAlignment().orElse(DEFAULT_BYTE_ALIGNMENT);
    return new SimulatedStorage(
        new DeviceProperties(
            "simulated device",
            capacity,
            options.maxPageSize().orElse(MemorySize.of(capacity.bytes() / 4)),
            alignment,
            Math.max(alignment, DEFAULT_BLOCK_ALIGNMENT),
            Set.of(Feature.ADDRESS)));
  }

  /** A device with a capacity, otherwise like a large accelerator. */
  public static SimulatedStorage withCapacity(MemorySize capacity) {
    return open(StorageOptions.DEFAULT.withCapacity(capacity));
  }

  private static void checkAlignment(long alignment) {
    if (Long.bitCount(alignment) != 1 || alignment < 1) {
      throw StorageErrors.badAlignment(alignment);
    }
  }

  @Override
  public DeviceProperties properties() {
    return properties;
  }

  @Override
  public synchronized StorageBlock allocate(long byteSize) {
    if (closed) {
      throw StorageErrors.closed(properties.name());
    }
    if (byteSize <= 0) {
      throw StorageErrors.noSize(byteSize);
    }
    if (allocated == 0) {
      next = properties.blockAlignment();
    }
    long capacity = properties.total().bytes();
    long mask = properties.blockAlignment() - 1;
    if (byteSize > capacity - allocated || byteSize > (Long.MAX_VALUE & ~mask) - next) {
      throw StorageErrors.outOfMemory(properties.name(), byteSize, allocated, capacity);
    }
    Block block = new Block(next, byteSize);
    allocated += byteSize;
    next = (next + byteSize + mask) & ~mask;
    return block;
  }

  @Override
  public synchronized void free(StorageBlock block) {
    if (closed || !(block instanceof Block mine) || !mine.isOutOf(this)) {
      throw StorageErrors.foreignBlock(properties.name(), block);
    }
    mine.out = false;
    allocated -= mine.byteSize;
  }

  @Override
  public synchronized void close() {
    closed = true;
    allocated = 0;
  }

  /** The bytes of the blocks that are out. */
  public synchronized MemorySize allocated() {
    return MemorySize.of(allocated);
  }

  /** An address range; identity, not value, tells blocks of different devices apart. */
  private final class Block implements StorageBlock {
    private final long address;
    private final long byteSize;

    // Guarded by the storage. A flag in the block, because a set of all blocks would be most of
    // what a driver call costs here.
    private boolean out = true;

    Block(long address, long byteSize) {
      this.address = address;
      this.byteSize = byteSize;
    }

    boolean isOutOf(SimulatedStorage storage) {
      return out && SimulatedStorage.this == storage;
    }

    @Override
    public long byteSize() {
      return byteSize;
    }

    @Override
    public MemorySegment segment() {
      throw StorageErrors.noHostAccess(properties.name(), MemorySize.of(byteSize));
    }

    @Override
    public long address() {
      if (!properties.has(Feature.ADDRESS)) {
        throw StorageErrors.noAddress(properties.name());
      }
      return address;
    }

    @Override
    public String toString() {
      return "simulated block of " + byteSize + " bytes at 0x" + Long.toHexString(address);
    }
  }
}
