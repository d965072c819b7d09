package io.cistern.vulkan;

import static org.lwjgl.vulkan.VK11.vkGetPhysicalDeviceMemoryProperties2;

import java.util.Optional;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryBudgetPropertiesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties2;

/** How much of a heap a process may have, where the driver tells. Asked at each block. */
interface HeapBudget {

  /** The driver does not tell. */
  HeapBudget UNKNOWN = heap -> Optional.empty();

  /** What a heap's budget and use are just now; empty if the driver does not tell. */
  Optional<State> now(int heap);

  /**
   * A moment's state.
   *
   * @param budget how many bytes the process may have of the heap
   * @param used how many it has, by whomever in it
   */
  record State(long budget, long used) {

    boolean hasRoomFor(long byteSize) {
      return byteSize <= budget - used;
    }
  }

  /** Asks a device that has {@code VK_EXT_memory_budget}. */
  static HeapBudget of(VkPhysicalDevice physical) {
    return heap -> {
      try (MemoryStack stack = MemoryStack.stackPush()) {
        VkPhysicalDeviceMemoryBudgetPropertiesEXT budgets =
            VkPhysicalDeviceMemoryBudgetPropertiesEXT.calloc(stack).sType$Default();
        VkPhysicalDeviceMemoryProperties2 memory =
            VkPhysicalDeviceMemoryProperties2.calloc(stack).sType$Default().pNext(budgets);
        vkGetPhysicalDeviceMemoryProperties2(physical, memory);
        return Optional.of(new State(budgets.heapBudget(heap), budgets.heapUsage(heap)));
      }
    };
  }
}
