package io.cistern.vulkan;

import java.util.Optional;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkQueue;

/**
 * What a storage stands on. Tests put other limits, budgets and calls in the place of the driver's.
 *
 * @param name the device's name for people
 * @param device the device
 * @param queue where copies are made; empty if there is none to use
 * @param limits what it allows
 * @param budget what the process may have of its heaps
 * @param calls the driver's calls
 * @param end what ends the device when the storage is closed; nothing if it is another's
 */
record DeviceSetup(
    String name,
    VkDevice device,
    Optional<Queue> queue,
    VulkanLimits limits,
    HeapBudget budget,
    VulkanCalls calls,
    Runnable end) {

  /**
   * A queue that takes transfer work.
   *
   * @param handle the queue
   * @param family the number of its family
   */
  record Queue(VkQueue handle, int family) {}

  static DeviceSetup of(VkDevice device, Optional<Queue> queue, Runnable end) {
    VkPhysicalDevice physical = device.getPhysicalDevice();
    DeviceDescription description = DeviceDescription.of(physical);
    return new DeviceSetup(
        description.name(),
        device,
        queue,
        description.limits(),
        DeviceDescription.budget(physical),
        new VulkanCalls(device),
        end);
  }

  DeviceSetup withLimits(VulkanLimits others) {
    return new DeviceSetup(name, device, queue, others, budget, calls, end);
  }

  DeviceSetup withBudget(HeapBudget other) {
    return new DeviceSetup(name, device, queue, limits, other, calls, end);
  }

  DeviceSetup withCalls(VulkanCalls others) {
    return new DeviceSetup(name, device, queue, limits, budget, others, end);
  }
}
