package io.cistern.vulkan;

import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;

import io.cistern.storage.StorageOptions;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which memory type blocks are made of.
 *
 * <p>Among the types that have what is asked for, a coherent one is better where the host accesses
 * it, then one of a larger heap, then the one with the least that nobody asked for, then the first,
 * which is the driver's own order of merit.
 */
final class MemoryTypes {

  static final String MEMORY = "memory";
  static final String MEMORY_TYPE = "memory-type";

  private static final String DEVICE_LOCAL = "device-local";
  private static final String HOST_VISIBLE = "host-visible";
  private static final String HOST_CACHED = "host-cached";

  private MemoryTypes() {}

  /**
   * The type that the options ask for.
   *
   * @throws IllegalArgumentException if there is none, or the settings do not exist or contradict
   *     each other
   */
  static MemoryType choose(StorageOptions options, VulkanLimits limits, String device) {
    options.checkSettings(VulkanStorageProvider.NAME, MEMORY, MEMORY_TYPE);
    String memory = options.setting(MEMORY, DEVICE_LOCAL, HOST_VISIBLE, HOST_CACHED);
    String index = options.settings().get(MEMORY_TYPE);
    if (index == null) {
      return best(limits, flags(memory))
          .orElseThrow(() -> VulkanErrors.noMemoryType(device, MEMORY, memory, limits.types()));
    }
    if (options.settings().containsKey(MEMORY)) {
      throw VulkanErrors.twoMemories();
    }
    return limits.types().stream()
        .filter(type -> index.equals(String.valueOf(type.index())) && type.isPlain())
        .findFirst()
        .orElseThrow(() -> VulkanErrors.noMemoryType(device, MEMORY_TYPE, index, limits.types()));
  }

  /** What can be set on a device: its kinds of memory, and its types by index. */
  static Map<String, String> settings(VulkanLimits limits) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(
        MEMORY,
        Stream.of(DEVICE_LOCAL, HOST_VISIBLE, HOST_CACHED)
            .filter(memory -> best(limits, flags(memory)).isPresent())
            .collect(Collectors.joining("|")));
    settings.put(
        MEMORY_TYPE,
        limits.types().stream()
            .filter(MemoryType::isPlain)
            .map(type -> String.valueOf(type.index()))
            .collect(Collectors.joining("|")));
    return settings;
  }

  /** The type for copies through the host. Vulkan promises one. */
  static MemoryType forStaging(VulkanLimits limits, String device) {
    int flags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    return best(limits, flags)
        .orElseThrow(
            () -> VulkanErrors.noMemoryType(device, "staging", HOST_VISIBLE, limits.types()));
  }

  private static int flags(String memory) {
    return switch (memory) {
      case HOST_VISIBLE -> VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
      case HOST_CACHED -> VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
      default -> VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    };
  }

  private static Optional<MemoryType> best(VulkanLimits limits, int flags) {
    boolean forHost = (flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0;
    List<Long> heaps = limits.heapByteSizes();
    return limits.types().stream()
        .filter(type -> type.isPlain() && type.has(flags))
        .min(
            Comparator.comparing((MemoryType type) -> forHost && !type.isCoherent())
                .thenComparing(type -> heaps.get(type.heap()), Comparator.reverseOrder())
                .thenComparingInt(type -> Integer.bitCount(type.flags())));
  }
}
