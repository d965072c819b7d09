package io.cistern.vulkan;

import io.cistern.DeviceMemoryException;
import io.cistern.MemorySize;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.DriverStorage;
import io.cistern.storage.Feature;
import io.cistern.storage.Fence;
import io.cistern.storage.StorageOptions;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkQueue;

/**
 * Memory of a Vulkan device: blocks are {@code VkDeviceMemory} of one memory type.
 *
 * <p>The setting {@code memory} chooses the type: {@code device-local} (as without), {@code
 * host-visible} (coherent where that is to be had) or {@code host-cached}; {@code memory-type}
 * chooses it by its index instead. Among several that fit, one of a larger heap is better, then one
 * with less that nobody asked for. Where the host sees the memory, blocks are mapped while they
 * live; where it does not, bytes are copied through a queue.
 *
 * <p>Slices are aligned so that each may be bound to any buffer beside any image, and flushed
 * without its neighbours: to the largest of {@code bufferImageGranularity}, {@code
 * nonCoherentAtomSize} and the offset alignments of uniform, storage and texel buffers. What a
 * resource needs beyond that is asked for with the allocation, as {@link VulkanBuffer} and {@link
 * VulkanImage} do. As the device sees it, a block starts at a multiple of any alignment; the
 * address of a mapped segment is a multiple of {@code minMemoryMapAlignment}, whatever slices are
 * aligned to.
 *
 * <p>Limits that are checked before the driver is asked: the heap's size; {@code
 * maxMemoryAllocationSize}; {@code maxMemoryAllocationCount}, against which this storage's blocks
 * count, and the one memory that it copies through, but not what others make on the device; and, at
 * each block, the heap's budget where the device has {@code VK_EXT_memory_budget}.
 *
 * <p>Safe for many threads. A block can't be given back while a native call is being made with its
 * segment; it stays valid, and when the storage is closed first it goes with {@link #free} or
 * another close, and the device with the last such block.
 */
public final class VulkanStorage extends DriverStorage<VulkanBlock> {

  /** What known drivers want an image aligned to at most; memory starts at a multiple of it. */
  private static final long LARGEST_USUAL_ALIGNMENT = 65_536;

  private final DeviceSetup setup;
  private final MemoryType type;
  private final @Nullable CopyQueue copies;
  private final Retired retired = new Retired();

  // Guarded by this. What the block being made is for; and whether a close waits for blocks, or
  // has ended all.
  private VulkanCalls.Dedication dedicatedTo = VulkanCalls.Dedication.NONE;
  private boolean ending;
  private boolean ended;

  private VulkanStorage(
      DeviceSetup setup, DeviceProperties properties, MemoryType type, @Nullable CopyQueue copies) {
    super(
        properties,
        VulkanBlock.class,
        setup.limits().maxAllocationByteSize(),
        setup.limits().maxAllocations() - (copies == null ? 0 : 1));
    this.setup = setup;
    this.type = type;
    this.copies = copies;
  }

  /**
   * Opens a device, in an instance of its own and with a queue for compute and transfer work. Both
   * end with this storage.
   *
   * @param options the device, among those of Vulkan 1.1 or later in the loader's order; an
   *     alignment of slices that is a power of two and no less than the device's own; a capacity up
   *     to the heap's size, larger ones having no effect; a hint for presets (without: a quarter of
   *     the capacity, if a block may be so large); the settings {@code memory} or {@code
   *     memory-type}
   * @throws IllegalArgumentException if there is no such device, and says why; or no such memory,
   *     and names those that there are; or the alignment or a setting can't be
   */
  public static VulkanStorage open(StorageOptions options) {
    return open(options, UnaryOperator.identity());
  }

  static VulkanStorage open(StorageOptions options, UnaryOperator<DeviceSetup> change) {
    DeviceSetup own = OwnDevice.open(options.index());
    try {
      return open(change.apply(own), options);
    } catch (RuntimeException e) {
      own.end().run();
      throw e;
    }
  }

  /**
   * Uses a device that stays the caller's, and is not ended by this storage. Without a queue, so
   * memory that the host does not see is not copied from or to.
   *
   * @param device made for Vulkan 1.1 or later; outlives this storage
   * @param options as in {@link #open(StorageOptions)}; the index has no effect
   * @throws IllegalArgumentException if there is no such memory, or an option can't be
   */
  public static VulkanStorage open(VkDevice device, StorageOptions options) {
    return open(ofCaller(device, Optional.empty()), options);
  }

  /**
   * Uses a device that stays the caller's, and is not ended by this storage. Where the host does
   * not see the memory, {@code read} and {@code write} give work to the queue while they hold its
   * monitor, {@code synchronized (queue)}; whoever else gives it work does the same.
   *
   * @param queue a queue that takes transfer work, of a device made for Vulkan 1.1 or later; both
   *     outlive this storage
   * @param queueFamily the number of the queue's family
   * @param options as in {@link #open(StorageOptions)}; the index has no effect
   * @throws IllegalArgumentException if there is no such memory, or an option can't be
   */
  public static VulkanStorage open(VkQueue queue, int queueFamily, StorageOptions options) {
    DeviceSetup.Queue copies = new DeviceSetup.Queue(queue, queueFamily);
    return open(ofCaller(queue.getDevice(), Optional.of(copies)), options);
  }

  private static DeviceSetup ofCaller(VkDevice device, Optional<DeviceSetup.Queue> queue) {
    if (!DeviceDescription.isVersion11(device.getPhysicalDevice())
        || !device.getCapabilities().Vulkan11) {
      throw VulkanErrors.tooOld(device.getPhysicalDevice().toString());
    }
    return DeviceSetup.of(device, queue, () -> {});
  }

  static VulkanStorage open(DeviceSetup setup, StorageOptions options) {
    MemoryType type = MemoryTypes.choose(options, setup.limits(), setup.name());
    DeviceProperties properties =
        properties(setup.name(), setup.limits(), options, setup.queue().isPresent());
    boolean needsCopies = !type.isHostVisible() && setup.queue().isPresent();
    try {
      CopyQueue copies = needsCopies ? CopyQueue.open(setup, setup.queue().get()) : null;
      return new VulkanStorage(setup, properties, type, copies);
    } catch (VulkanRefusal e) {
      throw VulkanErrors.notOpened(setup.name(), e);
    }
  }

  /** What a device is with these options. */
  static DeviceProperties properties(
      String name, VulkanLimits limits, StorageOptions options, boolean hasQueue) {
    MemoryType type = MemoryTypes.choose(options, limits, name);
    long least = limits.byteAlignment();
    long alignment = options.byteAlignment().orElse(least);
    if (alignment < least || Long.bitCount(alignment) != 1) {
      throw VulkanErrors.badDeviceAlignment(name, alignment, least);
    }
    MemorySize heap = MemorySize.of(limits.heapByteSizes().get(type.heap()));
    MemorySize total = options.capacity().filter(it -> it.compareTo(heap) < 0).orElse(heap);
    long page = Math.min(total.bytes() / 4, limits.maxAllocationByteSize());
    return new DeviceProperties(
        name,
        total,
        options.maxPageSize().orElse(MemorySize.of(Math.max(1, page))),
        alignment,
        Math.max(
            alignment, type.isHostVisible() ? limits.minMapAlignment() : LARGEST_USUAL_ALIGNMENT),
        features(type, hasQueue));
  }

  private static Set<Feature> features(MemoryType type, boolean hasQueue) {
    Set<Feature> features = EnumSet.noneOf(Feature.class);
    if (type.isHostVisible()) {
      features.add(Feature.HOST_ACCESS);
    }
    if (type.isHostVisible() || hasQueue) {
      features.add(Feature.COPY);
    }
    return features;
  }

  /** The device, for the caller's own work; it ends with this storage if this storage made it. */
  public VkDevice device() {
    return setup.device();
  }

  /**
   * The queue that this storage opened or was opened with. Whoever gives it work holds its monitor,
   * {@code synchronized (queue)}, as this storage does.
   *
   * @throws IllegalStateException if it was opened on a device alone
   */
  public VkQueue queue() {
    return knownQueue().handle();
  }

  /**
   * The number of the {@link #queue}'s family.
   *
   * @throws IllegalStateException if it was opened on a device alone
   */
  public int queueFamily() {
    return knownQueue().family();
  }

  private DeviceSetup.Queue knownQueue() {
    return setup.queue().orElseThrow(() -> VulkanErrors.openedWithoutQueue(setup.name()));
  }

  /** The index of the memory type that blocks are made of. */
  public int memoryType() {
    return type.index();
  }

  @Override
  protected VulkanBlock make(long byteSize) {
    setup
        .budget()
        .now(type.heap())
        .filter(state -> !state.hasRoomFor(byteSize))
        .ifPresent(
            state -> {
              throw VulkanErrors.overBudget(setup.name(), byteSize, type.heap(), state);
            });
    try {
      return type.isHostVisible() ? makeMapped(byteSize) : makeUnmapped(byteSize);
    } catch (VulkanRefusal e) {
      throw VulkanErrors.refused(setup.name(), "allocate", byteSize, e);
    }
  }

  private VulkanBlock makeMapped(long byteSize) throws VulkanRefusal {
    CoveredMemory memory = CoveredMemory.bare(setup.calls(), byteSize, type, dedicatedTo);
    try {
      return VulkanBlock.mapped(this, memory, byteSize, setup.calls().map(memory.memory()));
    } catch (VulkanRefusal | RuntimeException e) {
      memory.end(setup.calls());
      throw e;
    }
  }

  /** A memory of one resource takes no second one, so none to copy by. */
  private VulkanBlock makeUnmapped(long byteSize) throws VulkanRefusal {
    CoveredMemory memory =
        copies == null || !dedicatedTo.isNone()
            ? CoveredMemory.bare(setup.calls(), byteSize, type, dedicatedTo)
            : CoveredMemory.make(setup.calls(), byteSize, type);
    return VulkanBlock.unmapped(this, memory, byteSize);
  }

  /**
   * A block for one resource alone, which is not bound to it yet.
   *
   * @throws DeviceMemoryException if the device can't give it
   */
  synchronized VulkanBlock allocateDedicated(BoundResource resource) {
    dedicatedTo = resource.dedication();
    try {
      return allocate(resource.requirements().byteSize());
    } finally {
      dedicatedTo = VulkanCalls.Dedication.NONE;
    }
  }

  /** Ends the block's segments and what is bound to it, and frees its memory. */
  @Override
  protected void giveBack(VulkanBlock block) {
    block.giveBack();
    if (ending && blocksOut() == 1) {
      endDevice();
    }
  }

  /** A block that is in use stays valid until it can be given back, and keeps the device. */
  @Override
  protected boolean end() {
    ending = true;
    if (blocksOut() == 0) {
      endDevice();
    }
    return false;
  }

  private void endDevice() {
    if (!ended) {
      ended = true;
      retired.clear();
      if (copies != null) {
        copies.close();
      }
      setup.end().run();
    }
  }

  /** Ends a resource when work on the device has passed the fences, or with its block. */
  void retire(List<Fence> fences, Runnable end) {
    retired.add(fences, end);
  }

  /** Ends some of what is retired and may go. */
  void sweep() {
    retired.sweep();
  }

  VulkanCalls calls() {
    return setup.calls();
  }

  @Nullable CopyQueue copies() {
    return copies;
  }

  boolean isCoherent() {
    return type.isCoherent();
  }

  long nonCoherentAtomByteSize() {
    return setup.limits().nonCoherentAtomByteSize();
  }

  /** Refuses what this storage's blocks can't be bound to. */
  void check(VulkanRequirements requirements) {
    if (!type.isIn(requirements.memoryTypeBits())) {
      throw VulkanErrors.otherMemoryType(setup.name(), type, requirements);
    }
  }

  /** Refuses what a slice of a block can't be bound to. */
  void checkForSlice(VulkanRequirements requirements) {
    check(requirements);
    if (requirements.requiresDedicated()) {
      throw VulkanErrors.needsDedicated(setup.name(), requirements);
    }
  }
}
