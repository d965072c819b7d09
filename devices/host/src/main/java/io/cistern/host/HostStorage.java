package io.cistern.host;

import com.sun.management.OperatingSystemMXBean;
import io.cistern.DeviceMemoryException;
import io.cistern.MemorySize;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Feature;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageBlock;
import io.cistern.storage.StorageOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The host's own memory, off the Java heap.
 *
 * <p>On Linux and macOS a block is address space reserved from the operating system: nothing is
 * zeroed or touched, memory is taken where the block is first written, and exactly the block's
 * pages go back. On other systems a block comes from the JDK, which zeroes it.
 *
 * <p>Blocks start at multiples of the system's page, or of the alignment asked for if that is
 * larger, and take whole pages of the system; what counts against the capacity is the size asked
 * for.
 *
 * <p>Safe for many threads. The JVM needs {@code
 * --enable-native-access=io.cistern.ffi,io.cistern.host}, or {@code ALL-UNNAMED} instead of the
 * names when Cistern is on the class path.
 */
public final class HostStorage implements Storage {

  static final String DEVICE_NAME = "host memory";

  /** A cache line, which is also what the widest vector instructions want. */
  private static final long LEAST_BYTE_ALIGNMENT = 64;

  private static final long DEFAULT_BYTE_ALIGNMENT = 256;

  private final PageSource pages;
  private final DeviceProperties properties;

  // Guarded by this: out = sum of blocks' sizes, 0 <= out <= total.
  private final Set<HostBlock> blocks = new HashSet<>();
  private long out;
  private volatile boolean closed;

  private HostStorage(PageSource pages, DeviceProperties properties) {
    this.pages = pages;
    this.properties = properties;
  }

  /**
   * Opens the machine's memory as it is: slices aligned to 256 bytes.
   *
   * @throws IllegalCallerException if native access is not enabled and that is an error
   */
  public static HostStorage open() {
    return open(StorageOptions.DEFAULT);
  }

  /**
   * Opens the machine's memory.
   *
   * @param options index 0; an alignment of slices that is a power of two from 64 bytes on
   *     (without: 256); a capacity up to the machine's memory, larger ones having no effect; a hint
   *     for presets (without: a quarter of the capacity)
   * @throws IllegalArgumentException if the index is not 0, or the alignment is below 64 or no
   *     power of two
   * @throws IllegalCallerException if native access is not enabled and that is an error
   */
  public static HostStorage open(StorageOptions options) {
    return open(options, PageSource.ofSystem());
  }

  static HostStorage open(StorageOptions options, PageSource pages) {
    if (options.index() != 0) {
      throw HostErrors.noDevice(options.index());
    }
    long alignment = options.byteAlignment().orElse(DEFAULT_BYTE_ALIGNMENT);
    if (alignment < LEAST_BYTE_ALIGNMENT || Long.bitCount(alignment) != 1) {
      throw HostErrors.badDeviceAlignment(alignment, LEAST_BYTE_ALIGNMENT);
    }
    MemorySize machine = MemorySize.of(machineByteSize());
    MemorySize total = options.capacity().filter(it -> it.compareTo(machine) < 0).orElse(machine);
    return new HostStorage(
        pages,
        new DeviceProperties(
            DEVICE_NAME,
            total,
            options.maxPageSize().orElse(MemorySize.of(total.bytes() / 4)),
            alignment,
            Math.max(alignment, pages.pageByteSize()),
            Set.of(Feature.HOST_ACCESS, Feature.ADDRESS)));
  }

  /** The physical memory, or a container's limit on it, which the JVM knows on every system. */
  private static long machineByteSize() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
  }

  @Override
  public DeviceProperties properties() {
    return properties;
  }

  /**
   * Reserves memory from the operating system.
   *
   * @return a block whose content is undefined
   * @throws DeviceMemoryException if that is more than the capacity leaves, or the system refuses;
   *     says what was asked, what is out, the capacity, and the system's error by name and number
   */
  @Override
  public synchronized HostBlock allocate(long byteSize) {
    if (closed) {
      throw HostErrors.closed();
    }
    if (byteSize <= 0) {
      throw HostErrors.noSize(byteSize);
    }
    long capacity = properties.total().bytes();
    if (byteSize > capacity - out) {
      throw HostErrors.outOfMemory(byteSize, out, capacity);
    }
    HostBlock block = reserve(byteSize);
    blocks.add(block);
    out += byteSize;
    return block;
  }

  @SuppressWarnings("MustBeClosedChecker") // The block closes it when it is given back.
  private HostBlock reserve(long byteSize) {
    Arena arena = Arena.ofShared();
    try {
      MemorySegment segment = pages.reserve(byteSize, properties.blockAlignment(), arena);
      return new HostBlock(this, arena, segment);
    } catch (OsRefusal e) {
      arena.close();
      throw HostErrors.outOfMemory(byteSize, out, properties.total().bytes(), e);
    }
  }

  /**
   * Ends the block's segments and gives its memory back, also after this storage was closed.
   *
   * @throws DeviceMemoryException if a native call is being made with a segment of the block, an
   *     open arena has a slice of it, or the system refuses; the block stays valid and may be given
   *     back later
   */
  @Override
  public synchronized void free(StorageBlock block) {
    if (!(block instanceof HostBlock mine) || !blocks.contains(mine)) {
      throw HostErrors.foreignBlock(block);
    }
    mine.giveBack(pages);
    blocks.remove(mine);
    out -= mine.byteSize();
  }

  /**
   * Gives everything back that is still out, and ends this storage.
   *
   * <p>A block that can't be given back now stays valid: one that an open arena has slices of goes
   * back when the last such arena is closed, one that a native call uses with {@link #free} or
   * another close. Otherwise a second close does nothing.
   */
  @Override
  public synchronized void close() {
    closed = true;
    for (HostBlock block : List.copyOf(blocks)) {
      freeIfPossible(block);
    }
  }

  private void freeIfPossible(HostBlock block) {
    try {
      free(block);
    } catch (DeviceMemoryException e) {
      // It stays in the set, where the next close finds it.
    }
  }

  /** Gives back what {@link #close} had to leave out. */
  void leasesEnded(HostBlock block) {
    if (closed) {
      freeLeftOut(block);
    }
  }

  private synchronized void freeLeftOut(HostBlock block) {
    if (blocks.contains(block)) {
      freeIfPossible(block);
    }
  }

  /** The sum of the sizes of the blocks that are out, as they were asked for. */
  public synchronized MemorySize allocated() {
    return MemorySize.of(out);
  }
}
