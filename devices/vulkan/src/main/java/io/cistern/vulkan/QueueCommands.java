package io.cistern.vulkan;

import static org.lwjgl.vulkan.VK10.VK_COMMAND_BUFFER_LEVEL_PRIMARY;
import static org.lwjgl.vulkan.VK10.VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
import static org.lwjgl.vulkan.VK10.VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
import static org.lwjgl.vulkan.VK10.vkAllocateCommandBuffers;
import static org.lwjgl.vulkan.VK10.vkBeginCommandBuffer;
import static org.lwjgl.vulkan.VK10.vkCreateCommandPool;
import static org.lwjgl.vulkan.VK10.vkCreateFence;
import static org.lwjgl.vulkan.VK10.vkDestroyCommandPool;
import static org.lwjgl.vulkan.VK10.vkDestroyFence;
import static org.lwjgl.vulkan.VK10.vkEndCommandBuffer;
import static org.lwjgl.vulkan.VK10.vkResetCommandPool;
import static org.lwjgl.vulkan.VK10.vkResetFences;

import java.nio.LongBuffer;
import java.util.function.Consumer;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferAllocateInfo;
import org.lwjgl.vulkan.VkCommandBufferBeginInfo;
import org.lwjgl.vulkan.VkCommandPoolCreateInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkFenceCreateInfo;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSubmitInfo;

/** Commands that a queue carries out while the caller waits; for one thread at a time. */
final class QueueCommands {

  private final VkQueue queue;
  private final VkDevice device;
  private final VulkanCalls calls;
  private final long pool;
  private final VkCommandBuffer commands;
  private final long fence;

  private QueueCommands(
      VkQueue queue, VulkanCalls calls, long pool, VkCommandBuffer commands, long fence) {
    this.queue = queue;
    this.device = queue.getDevice();
    this.calls = calls;
    this.pool = pool;
    this.commands = commands;
    this.fence = fence;
  }

  static QueueCommands open(DeviceSetup.Queue queue, VulkanCalls calls) throws VulkanRefusal {
    VkDevice device = queue.handle().getDevice();
    long pool = createPool(device, queue.family());
    try {
      VkCommandBuffer commands = createCommands(device, pool);
      return new QueueCommands(queue.handle(), calls, pool, commands, createFence(device));
    } catch (VulkanRefusal e) {
      vkDestroyCommandPool(device, pool, null);
      throw e;
    }
  }

  private static long createPool(VkDevice device, int family) throws VulkanRefusal {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkCommandPoolCreateInfo info =
          VkCommandPoolCreateInfo.calloc(stack)
              .sType$Default()
              .flags(VK_COMMAND_POOL_CREATE_TRANSIENT_BIT)
              .queueFamilyIndex(family);
      LongBuffer made = stack.mallocLong(1);
      VulkanCalls.check("vkCreateCommandPool", vkCreateCommandPool(device, info, null, made));
      return made.get(0);
    }
  }

  private static VkCommandBuffer createCommands(VkDevice device, long pool) throws VulkanRefusal {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkCommandBufferAllocateInfo info =
          VkCommandBufferAllocateInfo.calloc(stack)
              .sType$Default()
              .commandPool(pool)
              .level(VK_COMMAND_BUFFER_LEVEL_PRIMARY)
              .commandBufferCount(1);
      PointerBuffer made = stack.mallocPointer(1);
      VulkanCalls.check("vkAllocateCommandBuffers", vkAllocateCommandBuffers(device, info, made));
      return new VkCommandBuffer(made.get(0), device);
    }
  }

  private static long createFence(VkDevice device) throws VulkanRefusal {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkFenceCreateInfo info = VkFenceCreateInfo.calloc(stack).sType$Default();
      LongBuffer made = stack.mallocLong(1);
      VulkanCalls.check("vkCreateFence", vkCreateFence(device, info, null, made));
      return made.get(0);
    }
  }

  /** Records commands, and returns when the queue has carried them out. */
  void run(Consumer<VkCommandBuffer> record) throws VulkanRefusal {
    VulkanCalls.check("vkResetCommandPool", vkResetCommandPool(device, pool, 0));
    VulkanCalls.check("vkResetFences", vkResetFences(device, fence));
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkCommandBufferBeginInfo once =
          VkCommandBufferBeginInfo.calloc(stack)
              .sType$Default()
              .flags(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
      VulkanCalls.check("vkBeginCommandBuffer", vkBeginCommandBuffer(commands, once));
      record.accept(commands);
      VulkanCalls.check("vkEndCommandBuffer", vkEndCommandBuffer(commands));
      VkSubmitInfo work =
          VkSubmitInfo.calloc(stack).sType$Default().pCommandBuffers(stack.pointers(commands));
      // Others give work to the queue too, and hold it while they do.
      synchronized (queue) {
        calls.submit(queue, work, fence);
      }
      calls.await(fence);
    }
  }

  void close() {
    vkDestroyFence(device, fence, null);
    vkDestroyCommandPool(device, pool, null);
  }
}
