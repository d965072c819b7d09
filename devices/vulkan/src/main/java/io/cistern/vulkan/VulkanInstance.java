package io.cistern.vulkan;

import static org.lwjgl.vulkan.VK10.VK_ERROR_INCOMPATIBLE_DRIVER;
import static org.lwjgl.vulkan.VK10.vkCreateInstance;
import static org.lwjgl.vulkan.VK10.vkDestroyInstance;
import static org.lwjgl.vulkan.VK10.vkEnumeratePhysicalDevices;
import static org.lwjgl.vulkan.VK11.VK_API_VERSION_1_1;
import static org.lwjgl.vulkan.VK13.VK_API_VERSION_1_3;

import java.nio.IntBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK;
import org.lwjgl.vulkan.VkApplicationInfo;
import org.lwjgl.vulkan.VkInstance;
import org.lwjgl.vulkan.VkInstanceCreateInfo;
import org.lwjgl.vulkan.VkPhysicalDevice;

/** A {@code VkInstance} of our own, and the devices of Vulkan 1.1 or later that it sees. */
final class VulkanInstance implements AutoCloseable {

  private final VkInstance instance;

  private VulkanInstance(VkInstance instance) {
    this.instance = instance;
  }

  /**
   * Loads Vulkan and makes an instance.
   *
   * @throws Absent if there is no loader, or no driver that it can use
   */
  static VulkanInstance open() throws Absent {
    if (!Loader.WHY_NOT.isEmpty()) {
      throw new Absent(Loader.WHY_NOT);
    }
    try {
      if (Integer.compareUnsigned(VK.getInstanceVersionSupported(), VK_API_VERSION_1_1) < 0) {
        throw new Absent("the Vulkan loader is of version 1.0, and 1.1 is needed");
      }
      return new VulkanInstance(create());
    } catch (VulkanRefusal e) {
      String who =
          e.result() == VK_ERROR_INCOMPATIBLE_DRIVER
              ? "the Vulkan loader finds no driver: "
              : "Vulkan can't be used: ";
      throw new Absent(who + e.getMessage(), e);
    }
  }

  /** Loads Vulkan once: the JVM tells why a class can't be had the first time alone. */
  private static final class Loader {

    /** Empty if it is loaded. */
    static final String WHY_NOT = load();

    private static String load() {
      try {
        VK.getInstanceVersionSupported();
        return "";
      } catch (LinkageError | IllegalCallerException e) {
        return "Vulkan can't be loaded: " + e.getMessage();
      }
    }
  }

  private static VkInstance create() throws VulkanRefusal {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkInstanceCreateInfo info =
          VkInstanceCreateInfo.calloc(stack)
              .sType$Default()
              .pApplicationInfo(
                  VkApplicationInfo.calloc(stack)
                      .sType$Default()
                      .pEngineName(stack.UTF8("Cistern"))
                      .apiVersion(VK_API_VERSION_1_3));
      PointerBuffer instance = stack.mallocPointer(1);
      VulkanCalls.check("vkCreateInstance", vkCreateInstance(info, null, instance));
      return new VkInstance(instance.get(0), info);
    }
  }

  /**
   * The devices, in the loader's order.
   *
   * @throws Absent if there is none
   */
  List<VkPhysicalDevice> devices() throws Absent {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer count = stack.callocInt(1);
      String call = "vkEnumeratePhysicalDevices";
      VulkanCalls.check(call, vkEnumeratePhysicalDevices(instance, count, null));
      PointerBuffer found = stack.mallocPointer(Math.max(1, count.get(0)));
      VulkanCalls.check(call, vkEnumeratePhysicalDevices(instance, count, found));
      List<VkPhysicalDevice> devices =
          IntStream.range(0, count.get(0))
              .mapToObj(index -> new VkPhysicalDevice(found.get(index), instance))
              .filter(DeviceDescription::isVersion11)
              .toList();
      if (devices.isEmpty()) {
        throw new Absent(
            "the Vulkan loader finds " + count.get(0) + " devices, and none of Vulkan 1.1");
      }
      return devices;
    } catch (VulkanRefusal e) {
      throw new Absent("the Vulkan loader finds no devices: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    vkDestroyInstance(instance, null);
  }

  /** There is no device; never seen outside of this package. */
  @SuppressWarnings("serial") // Never serialised: it does not leave the package.
  static final class Absent extends Exception {
    private final String why;

    Absent(String why) {
      super(why);
      this.why = why;
    }

    Absent(String why, Throwable cause) {
      super(why, cause);
      this.why = why;
    }

    String why() {
      return why;
    }
  }
}
