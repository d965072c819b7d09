package io.cistern.vulkan.guide;

// The guide's example begins here.
import static org.lwjgl.vulkan.VK10.*;

import io.cistern.MemorySize;
import io.cistern.config.*;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.StorageOptions;
import io.cistern.vulkan.*;
import java.lang.foreign.*;
import java.time.Duration;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.*;

public final class GuideExample {

  public static void main(String[] args) throws InterruptedException {
    int usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    MemoryPoolsConfig pools = MemoryPoolsConfig.of(MemoryPoolConfig.sliced(MemorySize.ofMiB(1)));
    try (VulkanStorage storage = VulkanStorage.open(StorageOptions.DEFAULT);
        MemoryManager memory = MemoryManager.open(storage, pools);
        VulkanBuffer source = VulkanBuffer.create(storage, memory, 1000, usage);
        VulkanBuffer target = VulkanBuffer.create(storage, memory, 1000, usage);
        Arena arena = Arena.ofConfined()) {
      source.write(0, arena.allocateFrom("from one slice to another"));
      copy(storage, source, target);
      MemorySegment found = arena.allocate(1000);
      target.read(0, found);
      System.out.println(found.getString(0) + ", in " + storage.blocksOut() + " block");
    }
  }

  /** Has the device copy a buffer, and waits for it. */
  static void copy(VulkanStorage storage, VulkanBuffer source, VulkanBuffer target)
      throws InterruptedException {
    VkDevice device = storage.device();
    try (MemoryStack stack = MemoryStack.stackPush()) {
      long[] pool = new long[1];
      long[] fence = new long[1];
      PointerBuffer made = stack.mallocPointer(1);
      check(
          vkCreateCommandPool(
              device,
              VkCommandPoolCreateInfo.calloc(stack)
                  .sType$Default()
                  .queueFamilyIndex(storage.queueFamily()),
              null,
              pool));
      check(vkCreateFence(device, VkFenceCreateInfo.calloc(stack).sType$Default(), null, fence));
      check(
          vkAllocateCommandBuffers(
              device,
              VkCommandBufferAllocateInfo.calloc(stack)
                  .sType$Default()
                  .commandPool(pool[0])
                  .commandBufferCount(1),
              made));
      VkCommandBuffer commands = new VkCommandBuffer(made.get(0), device);
      check(vkBeginCommandBuffer(commands, VkCommandBufferBeginInfo.calloc(stack).sType$Default()));
      VkBufferCopy.Buffer range = VkBufferCopy.calloc(1, stack).size(source.byteSize());
      vkCmdCopyBuffer(commands, source.buffer(), target.buffer(), range);
      // What the copy wrote is seen by the host, and by commands that come later.
      VkMemoryBarrier.Buffer written =
          VkMemoryBarrier.calloc(1, stack)
              .sType$Default()
              .srcAccessMask(VK_ACCESS_TRANSFER_WRITE_BIT)
              .dstAccessMask(VK_ACCESS_HOST_READ_BIT | VK_ACCESS_MEMORY_READ_BIT);
      int readers = VK_PIPELINE_STAGE_HOST_BIT | VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
      vkCmdPipelineBarrier(
          commands, VK_PIPELINE_STAGE_TRANSFER_BIT, readers, 0, written, null, null);
      check(vkEndCommandBuffer(commands));
      VkSubmitInfo work =
          VkSubmitInfo.calloc(stack).sType$Default().pCommandBuffers(stack.pointers(commands));
      synchronized (storage.queue()) {
        check(vkQueueSubmit(storage.queue(), work, fence[0]));
      }
      VulkanFence copied = VulkanFence.of(device, fence[0]);
      // If they are closed before the copy is done, buffers and slices stay until it is.
      source.usedUntil(copied);
      target.usedUntil(copied);
      copied.await(Duration.ofMinutes(1));
      vkDestroyFence(device, fence[0], null);
      vkDestroyCommandPool(device, pool[0], null);
    }
  }

  static void check(int result) {
    if (result != VK_SUCCESS) {
      throw new IllegalStateException("VkResult " + result);
    }
  }
}
