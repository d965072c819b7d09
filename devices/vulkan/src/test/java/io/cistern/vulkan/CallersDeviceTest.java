package io.cistern.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.lwjgl.vulkan.KHRTimelineSemaphore.VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME;
import static org.lwjgl.vulkan.VK10.VK_API_VERSION_1_0;
import static org.lwjgl.vulkan.VK10.VK_BUFFER_USAGE_TRANSFER_DST_BIT;
import static org.lwjgl.vulkan.VK10.vkCmdFillBuffer;
import static org.lwjgl.vulkan.VK10.vkCreateDevice;
import static org.lwjgl.vulkan.VK10.vkCreateInstance;
import static org.lwjgl.vulkan.VK10.vkDestroyDevice;
import static org.lwjgl.vulkan.VK10.vkDestroyInstance;
import static org.lwjgl.vulkan.VK10.vkEnumeratePhysicalDevices;
import static org.lwjgl.vulkan.VK10.vkGetDeviceQueue;
import static org.lwjgl.vulkan.VK11.VK_API_VERSION_1_1;

import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.MemoryManager;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkApplicationInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceCreateInfo;
import org.lwjgl.vulkan.VkDeviceQueueCreateInfo;
import org.lwjgl.vulkan.VkInstance;
import org.lwjgl.vulkan.VkInstanceCreateInfo;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceTimelineSemaphoreFeatures;
import org.lwjgl.vulkan.VkQueue;

/** A device that a caller made, in an instance of the caller's, for one version or another. */
class CallersDeviceTest {

  @BeforeEach
  void needADevice() {
    Lavapipe.need();
  }

  @Test
  void aDeviceOfVersion11Serves() {
    try (Made made = new Made(VK_API_VERSION_1_1, false)) {
      try (VulkanStorage storage = VulkanStorage.open(made.queue(), 0, Lavapipe.OPTIONS);
          MemoryManager manager = MemoryManager.open(storage, MemoryPoolsConfig.Preset.SUB_SLICES);
          VulkanBuffer buffer =
              VulkanBuffer.create(storage, manager, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT)) {
        Gpu.run(storage, commands -> vkCmdFillBuffer(commands, buffer.buffer(), 0, 64, 0x05050505));
        byte[] found = new byte[64];
        buffer.read(0, MemorySegment.ofArray(found));
        assertThat(found).containsOnly(5);
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() -> VulkanFence.ofTimeline(made.device, 1, 1))
          .withMessageContaining("VK_KHR_timeline_semaphore");
    }
  }

  @Test
  void aTimelineOfTheExtensionServes() throws Exception {
    try (Made made = new Made(VK_API_VERSION_1_1, true);
        Gpu.Timeline timeline = new Gpu.Timeline(made.device)) {
      VulkanFence fence = VulkanFence.ofTimeline(made.device, timeline.handle(), 0);
      assertThat(fence.await(Duration.ofMinutes(1))).isTrue();
      VulkanFence later = VulkanFence.ofTimeline(made.device, timeline.handle(), 1);
      assertThat(later.hasPassed()).isFalse();
      assertThat(later.await(Duration.ofMillis(20))).isFalse();
    }
  }

  @Test
  void aDeviceOfVersion10IsRefused() {
    try (Made made = new Made(VK_API_VERSION_1_0, false)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> VulkanStorage.open(made.device, Lavapipe.OPTIONS))
          .withMessageContaining("opened for Vulkan 1.0, and 1.1 is needed");
    }
  }

  /** An instance and its first device. */
  private static final class Made implements AutoCloseable {
    private final VkInstance instance;
    private final VkDevice device;

    Made(int version, boolean withTimelines) {
      try (MemoryStack stack = MemoryStack.stackPush()) {
        PointerBuffer made = stack.mallocPointer(1);
        VkInstanceCreateInfo info =
            VkInstanceCreateInfo.calloc(stack)
                .sType$Default()
                .pApplicationInfo(
                    VkApplicationInfo.calloc(stack).sType$Default().apiVersion(version));
        Gpu.check(vkCreateInstance(info, null, made));
        instance = new VkInstance(made.get(0), info);
        vkEnumeratePhysicalDevices(instance, stack.ints(1), made);
        device = createDevice(new VkPhysicalDevice(made.get(0), instance), withTimelines, stack);
      }
    }

    private static VkDevice createDevice(
        VkPhysicalDevice physical, boolean withTimelines, MemoryStack stack) {
      VkDeviceQueueCreateInfo.Buffer queues =
          VkDeviceQueueCreateInfo.calloc(1, stack)
              .sType$Default()
              .pQueuePriorities(stack.floats(1));
      VkDeviceCreateInfo info =
          VkDeviceCreateInfo.calloc(stack).sType$Default().pQueueCreateInfos(queues);
      if (withTimelines) {
        info.ppEnabledExtensionNames(
                stack.pointers(stack.UTF8(VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME)))
            .pNext(
                VkPhysicalDeviceTimelineSemaphoreFeatures.calloc(stack)
                    .sType$Default()
                    .timelineSemaphore(true));
      }
      PointerBuffer made = stack.mallocPointer(1);
      Gpu.check(vkCreateDevice(physical, info, null, made));
      return new VkDevice(made.get(0), physical, info);
    }

    VkQueue queue() {
      try (MemoryStack stack = MemoryStack.stackPush()) {
        PointerBuffer found = stack.mallocPointer(1);
        vkGetDeviceQueue(device, 0, 0, found);
        return new VkQueue(found.get(0), device);
      }
    }

    @Override
    public void close() {
      vkDestroyDevice(device, null);
      vkDestroyInstance(instance, null);
    }
  }
}
