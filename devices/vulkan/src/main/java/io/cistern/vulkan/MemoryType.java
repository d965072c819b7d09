package io.cistern.vulkan;

import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT;
import static org.lwjgl.vulkan.VK11.VK_MEMORY_PROPERTY_PROTECTED_BIT;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One of a device's memory types.
 *
 * @param index its number among the device's types
 * @param flags {@code VkMemoryPropertyFlags}
 * @param heap the number of the heap that it takes from
 */
record MemoryType(int index, int flags, int heap) {

  private static final int PLAIN =
      VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
          | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT
          | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
          | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

  private static final Map<Integer, String> NAMES = new LinkedHashMap<>();

  static {
    NAMES.put(VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, "DEVICE_LOCAL");
    NAMES.put(VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT, "HOST_VISIBLE");
    NAMES.put(VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, "HOST_COHERENT");
    NAMES.put(VK_MEMORY_PROPERTY_HOST_CACHED_BIT, "HOST_CACHED");
    NAMES.put(VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT, "LAZILY_ALLOCATED");
    NAMES.put(VK_MEMORY_PROPERTY_PROTECTED_BIT, "PROTECTED");
  }

  /** Whether it has all of these flags. */
  boolean has(int wanted) {
    return (flags & wanted) == wanted;
  }

  boolean isHostVisible() {
    return has(VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT);
  }

  boolean isCoherent() {
    return has(VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  }

  /**
   * Whether memory of this type serves any use, needing no feature and no special kind of image.
   */
  boolean isPlain() {
    return (flags & ~PLAIN) == 0;
  }

  /** Whether it is among those that {@code VkMemoryRequirements.memoryTypeBits} allows. */
  boolean isIn(int memoryTypeBits) {
    return (memoryTypeBits >>> index & 1) == 1;
  }

  /** As {@code 0 (DEVICE_LOCAL|HOST_VISIBLE, heap 0)}. */
  @Override
  public String toString() {
    return index + " (" + words() + ", heap " + heap + ")";
  }

  private String words() {
    List<String> words = new ArrayList<>();
    int rest = flags;
    for (Map.Entry<Integer, String> name : NAMES.entrySet()) {
      if (has(name.getKey())) {
        words.add(name.getValue());
        rest &= ~name.getKey();
      }
    }
    if (rest != 0 || words.isEmpty()) {
      words.add("0x" + Integer.toHexString(rest));
    }
    return String.join("|", words);
  }
}
