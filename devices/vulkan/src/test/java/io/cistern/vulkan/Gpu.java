package io.cistern.vulkan;

import static org.lwjgl.vulkan.VK10.VK_FORMAT_R8G8B8A8_UNORM;
import static org.lwjgl.vulkan.VK10.VK_IMAGE_LAYOUT_UNDEFINED;
import static org.lwjgl.vulkan.VK10.VK_IMAGE_TYPE_2D;
import static org.lwjgl.vulkan.VK10.VK_IMAGE_USAGE_TRANSFER_DST_BIT;
import static org.lwjgl.vulkan.VK10.VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
import static org.lwjgl.vulkan.VK10.VK_SAMPLE_COUNT_1_BIT;
import static org.lwjgl.vulkan.VK10.VK_SHARING_MODE_EXCLUSIVE;
import static org.lwjgl.vulkan.VK10.VK_SUCCESS;
import static org.lwjgl.vulkan.VK10.vkCreateImage;
import static org.lwjgl.vulkan.VK10.vkCreateSemaphore;
import static org.lwjgl.vulkan.VK10.vkDestroySemaphore;
import static org.lwjgl.vulkan.VK12.VK_SEMAPHORE_TYPE_TIMELINE;
import static org.lwjgl.vulkan.VK12.vkSignalSemaphore;

import java.nio.LongBuffer;
import java.util.function.Consumer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkImageCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreSignalInfo;
import org.lwjgl.vulkan.VkSemaphoreTypeCreateInfo;

/** Work on a storage's device. */
final class Gpu {

  private Gpu() {}

  /** Records commands and waits until the device has carried them out. */
  static void run(VulkanStorage storage, Consumer<VkCommandBuffer> record) {
    try {
      DeviceSetup.Queue queue = new DeviceSetup.Queue(storage.queue(), storage.queueFamily());
      QueueCommands commands = QueueCommands.open(queue, storage.calls());
      try {
        commands.run(record);
      } finally {
        commands.close();
      }
    } catch (VulkanRefusal e) {
      throw new AssertionError(e);
    }
  }

  /** A small image of four bytes a pixel, not bound yet. */
  static long createImage(VkDevice device, int width, int height, int tiling) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkImageCreateInfo info =
          VkImageCreateInfo.calloc(stack)
              .sType$Default()
              .imageType(VK_IMAGE_TYPE_2D)
              .format(VK_FORMAT_R8G8B8A8_UNORM)
              .mipLevels(1)
              .arrayLayers(1)
              .samples(VK_SAMPLE_COUNT_1_BIT)
              .tiling(tiling)
              .usage(VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT)
              .sharingMode(VK_SHARING_MODE_EXCLUSIVE)
              .initialLayout(VK_IMAGE_LAYOUT_UNDEFINED);
      info.extent().set(width, height, 1);
      LongBuffer image = stack.mallocLong(1);
      check(vkCreateImage(device, info, null, image));
      return image.get(0);
    }
  }

  /** A timeline semaphore at 0, which the host signals; the caller's to close. */
  static final class Timeline implements AutoCloseable {
    private final VkDevice device;
    private final long semaphore;

    Timeline(VkDevice device) {
      this.device = device;
      try (MemoryStack stack = MemoryStack.stackPush()) {
        VkSemaphoreTypeCreateInfo type =
            VkSemaphoreTypeCreateInfo.calloc(stack)
                .sType$Default()
                .semaphoreType(VK_SEMAPHORE_TYPE_TIMELINE);
        LongBuffer made = stack.mallocLong(1);
        VkSemaphoreCreateInfo info =
            VkSemaphoreCreateInfo.calloc(stack).sType$Default().pNext(type);
        check(vkCreateSemaphore(device, info, null, made));
        semaphore = made.get(0);
      }
    }

    long handle() {
      return semaphore;
    }

    VulkanFence at(long value) {
      return VulkanFence.ofTimeline(device, semaphore, value);
    }

    void signal(long value) {
      try (MemoryStack stack = MemoryStack.stackPush()) {
        check(
            vkSignalSemaphore(
                device,
                VkSemaphoreSignalInfo.calloc(stack)
                    .sType$Default()
                    .semaphore(semaphore)
                    .value(value)));
      }
    }

    @Override
    public void close() {
      vkDestroySemaphore(device, semaphore, null);
    }
  }

  static void check(int result) {
    if (result != VK_SUCCESS) {
      throw new AssertionError(VulkanResults.toText(result));
    }
  }
}
