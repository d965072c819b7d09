package io.cistern.vulkan;

import io.cistern.AllocationException;
import io.cistern.DeviceMemoryException;
import io.cistern.manager.MemoryManager;

/**
 * A {@code VkImage} on a slice of a block, which it owns.
 *
 * <p>Images and buffers may be neighbours in a page, since slices stand at least {@code
 * bufferImageGranularity} apart.
 */
public final class VulkanImage extends VulkanResource {

  private VulkanImage(Binding binding) {
    super(binding);
  }

  /**
   * Binds an image that the caller made to a slice of a manager's; from then on it is this object's
   * to end. If that fails it is the caller's as before.
   *
   * @param storage the storage that the manager's pools are on, also through adaptors
   * @param manager whose pools serve
   * @param image a {@code VkImage} of the storage's device that is not bound
   * @throws AllocationException if the manager can't serve it
   * @throws DeviceMemoryException if the driver does not bind it
   * @throws IllegalArgumentException if the driver binds it to other memory types than the
   *     storage's, or to memory of its own alone; it wants an alignment above the device's block
   *     alignment; or the manager is of another storage
   */
  public static VulkanImage bind(VulkanStorage storage, MemoryManager manager, long image) {
    BoundResource resource = BoundResource.image(storage.calls(), image);
    return new VulkanImage(bindSlice(storage, manager, resource));
  }

  /**
   * Binds an image that the caller made to a block of its own, outside of pools and made for it
   * alone; from then on it is this object's to end. If that fails it is the caller's as before.
   *
   * @param storage where the block is made; it counts among its blocks and bytes
   * @param image a {@code VkImage} of the storage's device that is not bound
   * @throws DeviceMemoryException if the device can't give the memory, or does not bind it
   * @throws IllegalArgumentException if the driver binds it to other memory types than the
   *     storage's
   */
  public static VulkanImage bindDedicated(VulkanStorage storage, long image) {
    BoundResource resource = BoundResource.image(storage.calls(), image);
    return new VulkanImage(bindBlock(storage, resource));
  }

  /**
   * The {@code VkImage}.
   *
   * @throws IllegalStateException if this is closed
   */
  public long image() {
    return handle();
  }
}
