package io.cistern.vulkan;

import static org.lwjgl.system.MemoryUtil.NULL;
import static org.lwjgl.vulkan.VK10.vkCreateDevice;
import static org.lwjgl.vulkan.VK10.vkDestroyDevice;
import static org.lwjgl.vulkan.VK10.vkDeviceWaitIdle;
import static org.lwjgl.vulkan.VK10.vkGetDeviceQueue;

import java.util.List;
import java.util.Optional;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceCreateInfo;
import org.lwjgl.vulkan.VkDeviceQueueCreateInfo;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Features;
import org.lwjgl.vulkan.VkQueue;

/** A device of our own with one queue, in an instance of its own. */
final class OwnDevice {

  private OwnDevice() {}

  /**
   * Opens a device.
   *
   * @throws IllegalArgumentException if there is no such device, or it can't be opened
   */
  static DeviceSetup open(int index) {
    try {
      VulkanInstance instance = VulkanInstance.open();
      try {
        return open(instance, index);
      } catch (RuntimeException | VulkanInstance.Absent e) {
        instance.close();
        throw e;
      }
    } catch (VulkanInstance.Absent e) {
      throw VulkanErrors.noDevices(index, e.why());
    }
  }

  private static DeviceSetup open(VulkanInstance instance, int index) throws VulkanInstance.Absent {
    List<VkPhysicalDevice> devices = instance.devices();
    if (index < 0 || index >= devices.size()) {
      throw VulkanErrors.noDevice(index, devices.size());
    }
    VkPhysicalDevice physical = devices.get(index);
    DeviceDescription description = DeviceDescription.of(physical);
    int family =
        DeviceDescription.computeFamily(physical)
            .orElseThrow(() -> VulkanErrors.noQueue(description.name()));
    VkDevice device;
    try {
      device = create(physical, description, family);
    } catch (VulkanRefusal e) {
      throw VulkanErrors.notOpened(description.name(), e);
    }
    return DeviceSetup.of(device, Optional.of(queue(device, family)), () -> end(device, instance));
  }

  private static VkDevice create(
      VkPhysicalDevice physical, DeviceDescription description, int family) throws VulkanRefusal {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkDeviceQueueCreateInfo.Buffer queues =
          VkDeviceQueueCreateInfo.calloc(1, stack)
              .sType$Default()
              .queueFamilyIndex(family)
              .pQueuePriorities(stack.floats(1));
      VkDeviceCreateInfo info =
          VkDeviceCreateInfo.calloc(stack).sType$Default().pQueueCreateInfos(queues);
      if (description.hasTimeline(physical)) {
        info.pNext(
            VkPhysicalDeviceVulkan12Features.calloc(stack).sType$Default().timelineSemaphore(true));
      }
      PointerBuffer device = stack.mallocPointer(1);
      VulkanCalls.check("vkCreateDevice", vkCreateDevice(physical, info, null, device));
      return new VkDevice(device.get(0), physical, info);
    }
  }

  private static DeviceSetup.Queue queue(VkDevice device, int family) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer queue = stack.pointers(NULL);
      vkGetDeviceQueue(device, family, 0, queue);
      return new DeviceSetup.Queue(new VkQueue(queue.get(0), device), family);
    }
  }

  private static void end(VkDevice device, VulkanInstance instance) {
    vkDeviceWaitIdle(device);
    vkDestroyDevice(device, null);
    instance.close();
  }
}
