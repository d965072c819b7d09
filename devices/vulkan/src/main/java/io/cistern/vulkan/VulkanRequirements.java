package io.cistern.vulkan;

import org.lwjgl.vulkan.VkMemoryDedicatedRequirements;
import org.lwjgl.vulkan.VkMemoryRequirements;

/**
 * What a buffer or an image needs of the memory that it is bound to.
 *
 * @param byteSize how many bytes it takes, which may be more than the buffer's own size
 * @param byteAlignment what its offset in a block is a multiple of, in bytes: a power of two
 * @param memoryTypeBits the memory types that it may be bound to: bit {@code n} stands for type
 *     {@code n}
 * @param prefersDedicated whether the driver would rather have memory of its own for it
 * @param requiresDedicated whether it works in memory of its own alone
 */
public record VulkanRequirements(
    long byteSize,
    long byteAlignment,
    int memoryTypeBits,
    boolean prefersDedicated,
    boolean requiresDedicated) {

  static VulkanRequirements of(
      VkMemoryRequirements memory, VkMemoryDedicatedRequirements dedicated) {
    return new VulkanRequirements(
        memory.size(),
        memory.alignment(),
        memory.memoryTypeBits(),
        dedicated.prefersDedicatedAllocation(),
        dedicated.requiresDedicatedAllocation());
  }
}
