package io.cistern.vulkan;

import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;

import io.cistern.MemorySize;
import io.cistern.storage.DeviceList;
import io.cistern.storage.StorageOptions;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assumptions;

/** What the tests of a real device share. */
final class Lavapipe {

  static final StorageOptions OPTIONS = StorageOptions.DEFAULT.withCapacity(MemorySize.ofMiB(128));

  static final int DEVICE_LOCAL = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  static final int HOST_VISIBLE = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
  static final int COHERENT = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  static final int CACHED = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

  private static final DeviceList DEVICES = new VulkanStorageProvider().devices();

  private Lavapipe() {}

  /** For {@code EnabledIf} and as a first line: skips with the reason. */
  static void need() {
    Assumptions.assumeFalse(DEVICES.devices().isEmpty(), () -> "skipped: " + DEVICES.whyNone());
  }

  static VulkanStorage open(StorageOptions options, UnaryOperator<DeviceSetup> change) {
    need();
    return VulkanStorage.open(options, change);
  }

  static VulkanStorage open(StorageOptions options) {
    return open(options, UnaryOperator.identity());
  }

  /**
   * As if the driver's first memory type were two: one that the host does not see, and the one that
   * it sees. Both are the driver's type 0.
   */
  static DeviceSetup unseen(DeviceSetup setup) {
    return setup.withLimits(
        types(
            setup.limits(),
            new MemoryType(0, DEVICE_LOCAL, 0),
            new MemoryType(0, HOST_VISIBLE | COHERENT, 0)));
  }

  /** As if memory that the host sees were cached and not coherent, in atoms of 256 bytes. */
  static DeviceSetup incoherent(DeviceSetup setup) {
    VulkanLimits limits =
        types(setup.limits(), new MemoryType(0, DEVICE_LOCAL | HOST_VISIBLE | CACHED, 0));
    return setup.withLimits(
        new VulkanLimits(
            limits.maxAllocations(),
            limits.maxAllocationByteSize(),
            limits.bufferImageGranularity(),
            256,
            limits.minMapAlignment(),
            limits.minUniformAlignment(),
            limits.minStorageAlignment(),
            limits.minTexelAlignment(),
            limits.types(),
            limits.heapByteSizes()));
  }

  static VulkanLimits types(VulkanLimits limits, MemoryType... types) {
    return new VulkanLimits(
        limits.maxAllocations(),
        limits.maxAllocationByteSize(),
        limits.bufferImageGranularity(),
        limits.nonCoherentAtomByteSize(),
        limits.minMapAlignment(),
        limits.minUniformAlignment(),
        limits.minStorageAlignment(),
        limits.minTexelAlignment(),
        List.of(types),
        limits.heapByteSizes());
  }

  /** Limits of few and small memories, and a coarse granularity. */
  static VulkanLimits limits(VulkanLimits limits, long count, long byteSize, long granularity) {
    return new VulkanLimits(
        count,
        byteSize,
        granularity,
        limits.nonCoherentAtomByteSize(),
        limits.minMapAlignment(),
        limits.minUniformAlignment(),
        limits.minStorageAlignment(),
        limits.minTexelAlignment(),
        limits.types(),
        limits.heapByteSizes());
  }
}
