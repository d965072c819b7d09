package io.cistern.host;

import com.sun.management.OperatingSystemMXBean;
import io.cistern.MemorySize;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.DriverStorage;
import io.cistern.storage.Feature;
import io.cistern.storage.StorageOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.Set;

/**
 * The host's own memory, off the Java heap.
 *
 * <p>On Linux and macOS a block is address space reserved from the operating system: nothing is
 * zeroed or touched, memory is taken where the block is first written, and exactly the block's
 * pages go back. On other systems a block comes from the JDK, which zeroes it.
 *
 * <p>The system can be asked for more by {@link HostMemoryOptions}: memory that is locked, real at
 * once, of huge pages, or of one NUMA node. What it can't do at all is refused when the storage is
 * opened, what it can't do for a block by {@link #allocate}, which then has taken nothing.
 *
 * <p>Blocks start at multiples of the system's page (a huge page's size where blocks are made of
 * them), or of the alignment asked for if that is larger, and take whole pages of the system; what
 * counts against the capacity is the size asked for.
 *
 * <p>A block can't be given back while a native call is being made with a segment of it, or an open
 * arena has a slice of it; it stays valid. When the storage is closed first, a block of an arena
 * goes back when the last such arena is closed, one in a native call with {@link #free} or another
 * close.
 *
 * <p>Safe for many threads. The JVM needs {@code
 * --enable-native-access=io.cistern.ffi,io.cistern.host}, or {@code ALL-UNNAMED} instead of the
 * names when Cistern is on the class path.
 */
public final class HostStorage extends DriverStorage<HostBlock> {

  static final String DEVICE_NAME = "host memory";

  /** A cache line, which is also what the widest vector instructions want. */
  private static final long LEAST_BYTE_ALIGNMENT = 64;

  private static final long DEFAULT_BYTE_ALIGNMENT = 256;

  private final PageSource pages;

  private HostStorage(PageSource pages, DeviceProperties properties) {
    super(properties, HostBlock.class, UNLIMITED, UNLIMITED);
    this.pages = pages;
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
   *     for presets (without: a quarter of the capacity); settings as {@link HostMemoryOptions#of}
   *     reads them
   * @throws IllegalArgumentException if the index is not 0, the alignment is below 64 or no power
   *     of two, a setting or its value is unknown, or this system can't do what a setting wants
   * @throws IllegalCallerException if native access is not enabled and that is an error
   */
  public static HostStorage open(StorageOptions options) {
    return open(options, PageSources.of(HostMemoryOptions.of(options), HostSystem.current()));
  }

  /**
   * Opens the machine's memory, with the system asked to do more about it.
   *
   * @param options as for {@link #open(StorageOptions)}, without settings
   * @param memory what the system is asked for
   * @throws IllegalArgumentException as {@link #open(StorageOptions)}, or if there are settings
   * @throws IllegalCallerException if native access is not enabled and that is an error
   */
  public static HostStorage open(StorageOptions options, HostMemoryOptions memory) {
    if (!options.settings().isEmpty()) {
      throw HostErrors.twice(options.settings().keySet());
    }
    return open(options, PageSources.of(memory, HostSystem.current()));
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
            Set.of(Feature.HOST_ACCESS, Feature.COPY, Feature.ADDRESS, Feature.LENDING)));
  }

  /** The physical memory, or a container's limit on it, which the JVM knows on every system. */
  private static long machineByteSize() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // The block closes it when it is given back.
  protected HostBlock make(long byteSize) {
    Arena arena = Arena.ofShared();
    try {
      MemorySegment segment = pages.reserve(byteSize, properties().blockAlignment(), arena);
      return new HostBlock(this, arena, segment);
    } catch (RuntimeException e) {
      arena.close();
      throw e;
    } catch (OsRefusal e) {
      arena.close();
      throw HostErrors.outOfMemory(byteSize, allocated(), properties().total(), e);
    }
  }

  /** Ends the block's segments and gives its memory back. */
  @Override
  protected void giveBack(HostBlock block) {
    block.giveBack(pages);
  }

  /** Nothing ends: a block that is in use stays valid until it can be given back. */
  @Override
  protected boolean end() {
    return false;
  }

  /** Gives back what {@link #close} had to leave out. */
  void leasesEnded(HostBlock block) {
    freeLeftOut(block);
  }
}
