package io.cistern.vulkan;

import static org.lwjgl.vulkan.VK12.VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

import io.cistern.AllocationException;
import io.cistern.DeviceMemoryException;
import io.cistern.manager.MemoryManager;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A {@code VkBuffer} on a slice of a block, which it owns.
 *
 * <p>A buffer of a pool's is bound at the slice's offset in the page; one with memory of its own
 * ({@link #createDedicated}) at the start of a block that was made for it alone, with {@code
 * VkMemoryDedicatedAllocateInfo}. A block of a pool, also of a direct one, outlives the buffer and
 * serves others after it, so it is never dedicated in Vulkan's sense.
 */
public final class VulkanBuffer extends VulkanResource {

  private final long byteSize;

  private VulkanBuffer(Binding binding, long byteSize) {
    super(binding);
    this.byteSize = byteSize;
  }

  /**
   * What a buffer would need.
   *
   * @param storage whose device
   * @param byteSize the buffer's size in bytes, at least 1
   * @param usage {@code VkBufferUsageFlags}
   * @throws IllegalArgumentException if the size is below 1
   * @throws DeviceMemoryException if the driver makes no such buffer
   */
  public static VulkanRequirements requirements(VulkanStorage storage, long byteSize, int usage) {
    BoundResource probe = createUnbound(storage, byteSize, usage);
    probe.destroy(storage.calls());
    return probe.requirements();
  }

  /**
   * Makes a buffer for one family of queues on a slice of a manager's.
   *
   * @param storage the storage that the manager's pools are on, also through adaptors
   * @param manager whose pools serve
   * @param byteSize the buffer's size in bytes, at least 1
   * @param usage {@code VkBufferUsageFlags}, without that of device addresses
   * @throws AllocationException if the manager can't serve it
   * @throws DeviceMemoryException if the driver makes no such buffer
   * @throws IllegalArgumentException if the size is below 1; the driver binds such buffers to other
   *     memory types than the storage's, or to memory of their own alone; it wants an alignment
   *     above the device's block alignment; or the manager is of another storage
   */
  public static VulkanBuffer create(
      VulkanStorage storage, MemoryManager manager, long byteSize, int usage) {
    BoundResource resource = createUnbound(storage, byteSize, usage);
    try {
      return new VulkanBuffer(bindSlice(storage, manager, resource), byteSize);
    } catch (RuntimeException e) {
      resource.destroy(storage.calls());
      throw e;
    }
  }

  /**
   * Binds a buffer that the caller made to a slice of a manager's; from then on it is this object's
   * to end. If that fails it is the caller's as before.
   *
   * @param storage the storage that the manager's pools are on, also through adaptors
   * @param manager whose pools serve
   * @param buffer a {@code VkBuffer} of the storage's device that is not bound
   * @param byteSize its size in bytes, as it was made
   * @throws AllocationException if the manager can't serve it
   * @throws DeviceMemoryException if the driver does not bind it
   * @throws IllegalArgumentException as {@link #create} does
   */
  public static VulkanBuffer bind(
      VulkanStorage storage, MemoryManager manager, long buffer, long byteSize) {
    BoundResource resource = BoundResource.buffer(storage.calls(), buffer);
    return new VulkanBuffer(bindSlice(storage, manager, resource), byteSize);
  }

  /**
   * Makes a buffer with a block of its own, outside of pools and made for it alone. It counts among
   * the storage's blocks and bytes. Where the host does not see the memory, it is not copied from
   * or to by {@link #read} and {@link #write}, since nothing else may be bound to it.
   *
   * @param storage where the block is made
   * @param byteSize the buffer's size in bytes, at least 1
   * @param usage {@code VkBufferUsageFlags}, without that of device addresses
   * @throws DeviceMemoryException if the driver makes no such buffer, or can't give the memory
   * @throws IllegalArgumentException if the size is below 1, or the driver binds such buffers to
   *     other memory types than the storage's
   */
  public static VulkanBuffer createDedicated(VulkanStorage storage, long byteSize, int usage) {
    BoundResource resource = createUnbound(storage, byteSize, usage);
    try {
      return new VulkanBuffer(bindBlock(storage, resource), byteSize);
    } catch (RuntimeException e) {
      resource.destroy(storage.calls());
      throw e;
    }
  }

  private static BoundResource createUnbound(VulkanStorage storage, long byteSize, int usage) {
    if (byteSize < 1) {
      throw VulkanErrors.noBufferSize(byteSize);
    }
    if ((usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0) {
      throw VulkanErrors.needsDeviceAddress();
    }
    VulkanCalls calls = storage.calls();
    try {
      return BoundResource.buffer(calls, calls.createBuffer(byteSize, usage));
    } catch (VulkanRefusal e) {
      throw VulkanErrors.refused(storage.properties().name(), "make a buffer of", byteSize, e);
    }
  }

  /**
   * The {@code VkBuffer}, whose byte 0 is the slice's first.
   *
   * @throws IllegalStateException if this is closed
   */
  public long buffer() {
    return handle();
  }

  /** The buffer's size in bytes. */
  public long byteSize() {
    return byteSize;
  }

  /**
   * The buffer's bytes, where the host sees the memory.
   *
   * @throws UnsupportedOperationException if it does not
   * @throws IllegalStateException if this is closed
   */
  public MemorySegment segment() {
    return segment(byteSize);
  }

  /**
   * Copies bytes of the buffer to the host, as {@link VulkanBlock#read} does.
   *
   * @param fromOffset where in the buffer the bytes begin
   * @param target where they go; its size says how many
   * @throws IndexOutOfBoundsException if the bytes do not lie in the buffer
   * @throws UnsupportedOperationException if the storage can't copy
   * @throws DeviceMemoryException if the device fails
   * @throws IllegalStateException if this is closed
   */
  public void read(long fromOffset, MemorySegment target) {
    Objects.checkFromIndexSize(fromOffset, target.byteSize(), byteSize);
    block().read(byteOffset() + fromOffset, target);
  }

  /**
   * Copies bytes of the host to the buffer, as {@link VulkanBlock#write} does.
   *
   * @param toOffset where in the buffer the bytes begin
   * @param source where they come from; its size says how many
   * @throws IndexOutOfBoundsException if the bytes do not lie in the buffer
   * @throws UnsupportedOperationException if the storage can't copy
   * @throws DeviceMemoryException if the device fails
   * @throws IllegalStateException if this is closed
   */
  public void write(long toOffset, MemorySegment source) {
    Objects.checkFromIndexSize(toOffset, source.byteSize(), byteSize);
    block().write(byteOffset() + toOffset, source);
  }
}
