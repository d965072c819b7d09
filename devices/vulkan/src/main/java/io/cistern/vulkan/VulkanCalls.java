package io.cistern.vulkan;

import static org.lwjgl.system.MemoryUtil.NULL;
import static org.lwjgl.vulkan.VK10.VK_SHARING_MODE_EXCLUSIVE;
import static org.lwjgl.vulkan.VK10.VK_SUCCESS;
import static org.lwjgl.vulkan.VK10.VK_WHOLE_SIZE;
import static org.lwjgl.vulkan.VK10.vkAllocateMemory;
import static org.lwjgl.vulkan.VK10.vkBindBufferMemory;
import static org.lwjgl.vulkan.VK10.vkBindImageMemory;
import static org.lwjgl.vulkan.VK10.vkCreateBuffer;
import static org.lwjgl.vulkan.VK10.vkDestroyBuffer;
import static org.lwjgl.vulkan.VK10.vkDestroyImage;
import static org.lwjgl.vulkan.VK10.vkFlushMappedMemoryRanges;
import static org.lwjgl.vulkan.VK10.vkFreeMemory;
import static org.lwjgl.vulkan.VK10.vkInvalidateMappedMemoryRanges;
import static org.lwjgl.vulkan.VK10.vkMapMemory;
import static org.lwjgl.vulkan.VK10.vkQueueSubmit;
import static org.lwjgl.vulkan.VK10.vkWaitForFences;
import static org.lwjgl.vulkan.VK11.vkGetBufferMemoryRequirements2;
import static org.lwjgl.vulkan.VK11.vkGetImageMemoryRequirements2;

import java.nio.LongBuffer;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkBufferCreateInfo;
import org.lwjgl.vulkan.VkBufferMemoryRequirementsInfo2;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkImageMemoryRequirementsInfo2;
import org.lwjgl.vulkan.VkMappedMemoryRange;
import org.lwjgl.vulkan.VkMemoryAllocateInfo;
import org.lwjgl.vulkan.VkMemoryDedicatedAllocateInfo;
import org.lwjgl.vulkan.VkMemoryDedicatedRequirements;
import org.lwjgl.vulkan.VkMemoryRequirements2;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSubmitInfo;

/**
 * The driver's calls on memory and on what is bound to it: the one place where they are made, and
 * where a test counts them or has them fail. Stateless but for the device.
 */
class VulkanCalls {

  private static final long FOR_EVER = -1;

  private final VkDevice device;

  VulkanCalls(VkDevice device) {
    this.device = device;
  }

  /**
   * Makes a {@code VkDeviceMemory}.
   *
   * @param dedicatedTo the one resource that may be bound to it, or {@link Dedication#NONE}
   */
  long allocateMemory(long byteSize, MemoryType type, Dedication dedicatedTo) throws VulkanRefusal {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkMemoryAllocateInfo info =
          VkMemoryAllocateInfo.calloc(stack)
              .sType$Default()
              .allocationSize(byteSize)
              .memoryTypeIndex(type.index());
      if (!dedicatedTo.isNone()) {
        info.pNext(
            VkMemoryDedicatedAllocateInfo.calloc(stack)
                .sType$Default()
                .buffer(dedicatedTo.buffer())
                .image(dedicatedTo.image()));
      }
      LongBuffer memory = stack.mallocLong(1);
      check("vkAllocateMemory", vkAllocateMemory(device, info, null, memory));
      return memory.get(0);
    }
  }

  void freeMemory(long memory) {
    vkFreeMemory(device, memory, null);
  }

  /** Maps a whole memory until it is freed; returns where. */
  long map(long memory) throws VulkanRefusal {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer address = stack.mallocPointer(1);
      check("vkMapMemory", vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, address));
      return address.get(0);
    }
  }

  /** Makes what the host wrote visible to the device. The range is made of whole atoms. */
  void flush(long memory, long byteOffset, long byteSize) throws VulkanRefusal {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkMappedMemoryRange range = range(memory, byteOffset, byteSize, stack);
      check("vkFlushMappedMemoryRanges", vkFlushMappedMemoryRanges(device, range));
    }
  }

  /** Makes what the device wrote visible to the host. The range is made of whole atoms. */
  void invalidate(long memory, long byteOffset, long byteSize) throws VulkanRefusal {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkMappedMemoryRange range = range(memory, byteOffset, byteSize, stack);
      check("vkInvalidateMappedMemoryRanges", vkInvalidateMappedMemoryRanges(device, range));
    }
  }

  private static VkMappedMemoryRange range(
      long memory, long byteOffset, long byteSize, MemoryStack stack) {
    return VkMappedMemoryRange.calloc(stack)
        .sType$Default()
        .memory(memory)
        .offset(byteOffset)
        .size(byteSize);
  }

  long createBuffer(long byteSize, int usage) throws VulkanRefusal {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkBufferCreateInfo info =
          VkBufferCreateInfo.calloc(stack)
              .sType$Default()
              .size(byteSize)
              .usage(usage)
              .sharingMode(VK_SHARING_MODE_EXCLUSIVE);
      LongBuffer buffer = stack.mallocLong(1);
      check("vkCreateBuffer", vkCreateBuffer(device, info, null, buffer));
      return buffer.get(0);
    }
  }

  void destroyBuffer(long buffer) {
    vkDestroyBuffer(device, buffer, null);
  }

  void destroyImage(long image) {
    vkDestroyImage(device, image, null);
  }

  VulkanRequirements bufferRequirements(long buffer) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkMemoryDedicatedRequirements dedicated =
          VkMemoryDedicatedRequirements.calloc(stack).sType$Default();
      VkMemoryRequirements2 found =
          VkMemoryRequirements2.calloc(stack).sType$Default().pNext(dedicated);
      vkGetBufferMemoryRequirements2(
          device,
          VkBufferMemoryRequirementsInfo2.calloc(stack).sType$Default().buffer(buffer),
          found);
      return VulkanRequirements.of(found.memoryRequirements(), dedicated);
    }
  }

  VulkanRequirements imageRequirements(long image) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkMemoryDedicatedRequirements dedicated =
          VkMemoryDedicatedRequirements.calloc(stack).sType$Default();
      VkMemoryRequirements2 found =
          VkMemoryRequirements2.calloc(stack).sType$Default().pNext(dedicated);
      vkGetImageMemoryRequirements2(
          device, VkImageMemoryRequirementsInfo2.calloc(stack).sType$Default().image(image), found);
      return VulkanRequirements.of(found.memoryRequirements(), dedicated);
    }
  }

  void bindBuffer(long buffer, long memory, long byteOffset) throws VulkanRefusal {
    check("vkBindBufferMemory", vkBindBufferMemory(device, buffer, memory, byteOffset));
  }

  void bindImage(long image, long memory, long byteOffset) throws VulkanRefusal {
    check("vkBindImageMemory", vkBindImageMemory(device, image, memory, byteOffset));
  }

  /** Has a queue do work. The caller keeps others from the queue. */
  void submit(VkQueue queue, VkSubmitInfo work, long fence) throws VulkanRefusal {
    check("vkQueueSubmit", vkQueueSubmit(queue, work, fence));
  }

  /** Waits until work is done. */
  void await(long fence) throws VulkanRefusal {
    check("vkWaitForFences", vkWaitForFences(device, fence, true, FOR_EVER));
  }

  static void check(String call, int result) throws VulkanRefusal {
    if (result != VK_SUCCESS) {
      throw new VulkanRefusal(call, result);
    }
  }

  /** The one resource that a memory is made for. */
  record Dedication(long buffer, long image) {

    static final Dedication NONE = new Dedication(NULL, NULL);

    boolean isNone() {
      return buffer == NULL && image == NULL;
    }
  }
}
