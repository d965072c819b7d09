package io.cistern.vulkan;

import static org.lwjgl.system.MemoryUtil.NULL;
import static org.lwjgl.vulkan.EXTMemoryBudget.VK_EXT_MEMORY_BUDGET_EXTENSION_NAME;
import static org.lwjgl.vulkan.VK10.VK_QUEUE_COMPUTE_BIT;
import static org.lwjgl.vulkan.VK10.VK_VERSION_MAJOR;
import static org.lwjgl.vulkan.VK10.VK_VERSION_MINOR;
import static org.lwjgl.vulkan.VK10.VK_VERSION_PATCH;
import static org.lwjgl.vulkan.VK10.vkEnumerateDeviceExtensionProperties;
import static org.lwjgl.vulkan.VK10.vkGetPhysicalDeviceMemoryProperties;
import static org.lwjgl.vulkan.VK10.vkGetPhysicalDeviceQueueFamilyProperties;
import static org.lwjgl.vulkan.VK11.vkGetPhysicalDeviceFeatures2;
import static org.lwjgl.vulkan.VK11.vkGetPhysicalDeviceProperties2;
import static org.lwjgl.vulkan.VK12.VK_API_VERSION_1_2;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkExtensionProperties;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceDriverProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures2;
import org.lwjgl.vulkan.VkPhysicalDeviceLimits;
import org.lwjgl.vulkan.VkPhysicalDeviceMaintenance3Properties;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties2;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Features;
import org.lwjgl.vulkan.VkQueueFamilyProperties;

/**
 * What a driver says about a device of Vulkan 1.1 or later; the one place where it is read.
 *
 * @param name the device's name for people
 * @param driver the driver, its version, and the version of Vulkan
 * @param isVersion12 whether it has Vulkan 1.2
 * @param limits what it allows
 */
record DeviceDescription(String name, String driver, boolean isVersion12, VulkanLimits limits) {

  /** What a driver counts in an unsigned 32-bit number. */
  private static long unsigned(int number) {
    return Integer.toUnsignedLong(number);
  }

  static DeviceDescription of(VkPhysicalDevice physical) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkPhysicalDeviceMaintenance3Properties sizes =
          VkPhysicalDeviceMaintenance3Properties.calloc(stack).sType$Default();
      VkPhysicalDeviceDriverProperties driver =
          VkPhysicalDeviceDriverProperties.calloc(stack).sType$Default();
      VkPhysicalDeviceProperties2 all =
          VkPhysicalDeviceProperties2.calloc(stack).sType$Default().pNext(driver).pNext(sizes);
      // What a driver of 1.1 does not know stays as empty as it is here.
      vkGetPhysicalDeviceProperties2(physical, all);
      VkPhysicalDeviceProperties device = all.properties();
      VkPhysicalDeviceMemoryProperties memory = VkPhysicalDeviceMemoryProperties.calloc(stack);
      vkGetPhysicalDeviceMemoryProperties(physical, memory);
      return new DeviceDescription(
          device.deviceNameString(),
          driverText(device, driver),
          unsigned(device.apiVersion()) >= unsigned(VK_API_VERSION_1_2),
          limits(device.limits(), sizes.maxMemoryAllocationSize(), memory));
    }
  }

  private static String driverText(
      VkPhysicalDeviceProperties device, VkPhysicalDeviceDriverProperties driver) {
    String text =
        driver.driverNameString().isEmpty()
            ? "driver 0x" + Integer.toHexString(device.driverVersion())
            : driver.driverNameString() + " " + driver.driverInfoString();
    int version = device.apiVersion();
    return "%s, Vulkan %d.%d.%d"
        .formatted(
            text.strip(),
            VK_VERSION_MAJOR(version),
            VK_VERSION_MINOR(version),
            VK_VERSION_PATCH(version));
  }

  private static VulkanLimits limits(
      VkPhysicalDeviceLimits device,
      long maxAllocationByteSize,
      VkPhysicalDeviceMemoryProperties memory) {
    List<MemoryType> types = new ArrayList<>();
    for (int index = 0; index < memory.memoryTypeCount(); index++) {
      types.add(
          new MemoryType(
              index,
              memory.memoryTypes(index).propertyFlags(),
              memory.memoryTypes(index).heapIndex()));
    }
    List<Long> heaps = new ArrayList<>();
    for (int heap = 0; heap < memory.memoryHeapCount(); heap++) {
      heaps.add(memory.memoryHeaps(heap).size());
    }
    return new VulkanLimits(
        unsigned(device.maxMemoryAllocationCount()),
        maxAllocationByteSize,
        device.bufferImageGranularity(),
        device.nonCoherentAtomSize(),
        device.minMemoryMapAlignment(),
        device.minUniformBufferOffsetAlignment(),
        device.minStorageBufferOffsetAlignment(),
        device.minTexelBufferOffsetAlignment(),
        types,
        heaps);
  }

  /** How the heaps' budgets are known, if the driver tells. */
  static HeapBudget budget(VkPhysicalDevice physical) {
    return hasExtension(physical, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME)
        ? HeapBudget.of(physical)
        : HeapBudget.UNKNOWN;
  }

  private static boolean hasExtension(VkPhysicalDevice physical, String name) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer count = stack.callocInt(1);
      ByteBuffer ofDriver = null;
      vkEnumerateDeviceExtensionProperties(physical, ofDriver, count, null);
      // There may be hundreds, which is more than the stack has room for.
      try (VkExtensionProperties.Buffer found = VkExtensionProperties.calloc(count.get(0))) {
        vkEnumerateDeviceExtensionProperties(physical, ofDriver, count, found);
        return found.stream().anyMatch(one -> one.extensionNameString().equals(name));
      }
    }
  }

  /** The first family of queues that computes; one that computes copies as well. */
  static OptionalInt computeFamily(VkPhysicalDevice physical) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer count = stack.callocInt(1);
      vkGetPhysicalDeviceQueueFamilyProperties(physical, count, null);
      VkQueueFamilyProperties.Buffer families = VkQueueFamilyProperties.calloc(count.get(0), stack);
      vkGetPhysicalDeviceQueueFamilyProperties(physical, count, families);
      for (int family = 0; family < families.capacity(); family++) {
        if ((families.get(family).queueFlags() & VK_QUEUE_COMPUTE_BIT) != 0) {
          return OptionalInt.of(family);
        }
      }
      return OptionalInt.empty();
    }
  }

  /** Whether timeline semaphores may be had. */
  boolean hasTimeline(VkPhysicalDevice physical) {
    if (!isVersion12) {
      return false;
    }
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkPhysicalDeviceVulkan12Features features =
          VkPhysicalDeviceVulkan12Features.calloc(stack).sType$Default();
      vkGetPhysicalDeviceFeatures2(
          physical, VkPhysicalDeviceFeatures2.calloc(stack).sType$Default().pNext(features));
      return features.timelineSemaphore();
    }
  }

  /** Whether a physical device was found through Vulkan 1.1 or later and has that itself. */
  static boolean isVersion11(VkPhysicalDevice physical) {
    return physical.getCapabilities().Vulkan11
        && physical.getCapabilities().vkGetPhysicalDeviceProperties2 != NULL;
  }
}
