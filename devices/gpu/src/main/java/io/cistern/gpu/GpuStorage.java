package io.cistern.gpu;

import com.sun.management.OperatingSystemMXBean;
import io.cistern.DeviceMemoryException;
import io.cistern.DeviceMemoryException.Reason;
import io.cistern.MemorySize;
import io.cistern.gpu.driver.GpuCall;
import io.cistern.gpu.driver.GpuDialect;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.DriverStorage;
import io.cistern.storage.Feature;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageAdaptor;
import io.cistern.storage.StorageOptions;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;

/**
 * The memory of a CUDA or HIP device. Opened by {@code CudaStorage} and {@code HipStorage}.
 *
 * <p>Settings: {@code memory} is the kind of blocks.
 *
 * <ul>
 *   <li>{@code device}, which is the default: memory of the device, made and ended by the driver
 *       each time.
 *   <li>{@code async}: memory of the device from a pool of the driver's. {@code release-threshold}
 *       says how much of what was given back that pool keeps (64 MiB without it).
 *   <li>{@code pinned}: memory of the host, which the device reaches and copies fastest.
 *   <li>{@code managed}: memory that moves between both. No more is given than the device had free
 *       when the storage was opened, nor than it has free now.
 * </ul>
 *
 * <p>Slices are aligned to 256 bytes, which is what the drivers promise of every block; an
 * alignment from 16 to 256 can be asked for.
 *
 * <p>A close ends the streams, fences and graphs of this storage. If the driver refuses something
 * then, it stays, and a second close goes on; on a lost device everything counts as gone.
 *
 * <p>Safe for many threads. Each call of the driver leaves the thread's current context or device
 * as it was. The JVM needs {@code --enable-native-access=io.cistern.ffi,io.cistern.gpu}, or {@code
 * ALL-UNNAMED} instead of the names when Cistern is on the class path.
 */
public final class GpuStorage extends DriverStorage<GpuBlock> {

  /** What the drivers promise of the address of any memory. */
  private static final long BLOCK_ALIGNMENT = 256;

  /** The widest load of a kernel. */
  private static final long LEAST_ALIGNMENT = 16;

  private static final MemorySize RELEASE_THRESHOLD = MemorySize.ofMiB(64);

  /** The stream is not held up by, and does not hold up, the device's default one. */
  static final long NON_BLOCKING = 0x1;

  private final GpuContext context;
  private final GpuMemory memory;
  private final HostCopies copies;
  private final BlockSource source;

  private GpuStorage(
      GpuContext context,
      GpuMemory memory,
      DeviceProperties properties,
      HostCopies copies,
      BlockSource source) {
    super(properties, GpuBlock.class, UNLIMITED, UNLIMITED);
    this.context = context;
    this.memory = memory;
    this.copies = copies;
    this.source = source;
  }

  /**
   * Opens a device, for the modules of CUDA and HIP.
   *
   * @param dialect whose device
   * @param options which device, and what to change about it
   * @throws IllegalArgumentException if there is no such device, or it can't be had with these
   *     options; says why
   * @throws IllegalCallerException if native access is not enabled and that is an error
   */
  @SuppressWarnings("exports") // Whoever can name the type may call this.
  public static GpuStorage open(GpuDialect dialect, StorageOptions options) {
    options.checkSettings(dialect.kind(), GpuMemory.SETTING, GpuMemory.THRESHOLD_SETTING);
    GpuMemory memory = GpuMemory.of(options);
    long threshold = memory.threshold(options, RELEASE_THRESHOLD);
    GpuDevice device = device(dialect, options.index());
    checkAlignment(device, options);
    memory.checkThere(device);
    try {
      GpuContext context = GpuContext.retain(device);
      try {
        return open(context, memory, options, threshold);
      } catch (DeviceMemoryException e) {
        // A call that fails once does not keep the rest from being ended.
        if (!context.end()) {
          context.end();
        }
        throw e;
      }
    } catch (DeviceMemoryException e) {
      throw GpuErrors.notOpened(device.name(), e);
    }
  }

  private static GpuStorage open(
      GpuContext context, GpuMemory memory, StorageOptions options, long threshold) {
    GpuHandle stream = context.make(GpuCall.STREAM_CREATE, GpuCall.STREAM_DESTROY, NON_BLOCKING);
    BlockSource source =
        switch (memory) {
          case DEVICE -> PlainMemory.device(context);
          case PINNED -> PlainMemory.pinned(context);
          case MANAGED -> PlainMemory.managed(context);
          case ASYNC -> StreamOrderedMemory.of(context, stream, threshold);
        };
    return new GpuStorage(
        context,
        memory,
        properties(context.device(), memory, total(context, memory), options),
        new HostCopies(context, stream),
        source);
  }

  private static GpuDevice device(GpuDialect dialect, int index) {
    try {
      List<GpuDevice> devices = GpuDevice.all(dialect);
      if (index < 0 || index >= devices.size()) {
        throw GpuErrors.noDevice(dialect.kind(), index, devices.size());
      }
      return devices.get(index);
    } catch (NoDeviceException e) {
      throw GpuErrors.noDevice(dialect.kind(), index, e.why());
    }
  }

  private static void checkAlignment(GpuDevice device, StorageOptions options) {
    long alignment = options.byteAlignment().orElse(BLOCK_ALIGNMENT);
    if (alignment < LEAST_ALIGNMENT
        || alignment > BLOCK_ALIGNMENT
        || Long.bitCount(alignment) != 1) {
      throw GpuErrors.badAlignment(device.name(), alignment, LEAST_ALIGNMENT, BLOCK_ALIGNMENT);
    }
  }

  private static long total(GpuContext context, GpuMemory memory) {
    return switch (memory) {
      case DEVICE, ASYNC -> context.device().totalByteSize();
      case MANAGED -> context.freeByteSize();
      case PINNED ->
          ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    };
  }

  /** What a device is when it is opened with options. */
  static DeviceProperties properties(
      GpuDevice device, GpuMemory memory, long totalByteSize, StorageOptions options) {
    MemorySize all = MemorySize.of(totalByteSize);
    MemorySize total = options.capacity().filter(size -> size.compareTo(all) < 0).orElse(all);
    boolean seen = memory.isSeenByHost(device);
    return new DeviceProperties(
        device.name(),
        total,
        options.maxPageSize().orElse(MemorySize.of(total.bytes() / 4)),
        options.byteAlignment().orElse(BLOCK_ALIGNMENT),
        BLOCK_ALIGNMENT,
        seen
            ? Set.of(Feature.HOST_ACCESS, Feature.COPY, Feature.ADDRESS)
            : Set.of(Feature.COPY, Feature.ADDRESS));
  }

  /** The storage at the bottom of adaptors. */
  static GpuStorage of(Storage storage) {
    if (StorageAdaptor.root(storage) instanceof GpuStorage gpu) {
      return gpu;
    }
    throw GpuErrors.noGpu(storage);
  }

  @Override
  protected GpuBlock make(long byteSize) {
    long address = take(byteSize);
    long alignment = properties().blockAlignment();
    if (address % alignment != 0) {
      source.giveBack(address, byteSize);
      throw GpuErrors.misaligned(properties().name(), byteSize, address, alignment);
    }
    return new GpuBlock(this, address, byteSize);
  }

  private long take(long byteSize) {
    if (memory == GpuMemory.MANAGED) {
      checkFree(byteSize);
    }
    try {
      return source.take(byteSize);
    } catch (DeviceMemoryException e) {
      if (e.reason() != Reason.OUT_OF_MEMORY) {
        throw e;
      }
      throw GpuErrors.outOfMemory(
          properties().name(),
          byteSize,
          allocated().bytes(),
          properties().total().bytes(),
          free(),
          e);
    }
  }

  /** A driver gives more managed memory than there is, and then moves it to and fro. */
  private void checkFree(long byteSize) {
    long free = context.freeByteSize();
    if (byteSize > free) {
      throw GpuErrors.notFree(properties().name(), byteSize, free);
    }
  }

  /** What else there is to say when memory is out, if it can be had. */
  private String free() {
    try {
      return "the device has " + context.freeByteSize() + " free";
    } catch (DeviceMemoryException e) {
      return "what the device has free is not known";
    }
  }

  @Override
  protected void giveBack(GpuBlock block) {
    block.giveBack(source);
  }

  /** Releases the device, unless there are blocks that it refused to take back and may take yet. */
  @Override
  protected boolean end() {
    return (blocksOut() == 0 || context.isLost()) && context.end();
  }

  GpuContext context() {
    return context;
  }

  HostCopies copies() {
    return copies;
  }

  /** What its blocks are, for messages. */
  String kind() {
    return context.device().driver().dialect().kind() + " " + memory.text();
  }
}
