package io.cistern.vulkan;

import static org.lwjgl.system.MemoryUtil.NULL;

/**
 * A {@code VkDeviceMemory}, and a buffer over all of it where there is one, for copies.
 *
 * @param memory the memory
 * @param buffer a buffer over it that is copied from and to, or {@code NULL}
 */
record CoveredMemory(long memory, long buffer) {

  /** Memory without a buffer. */
  static CoveredMemory bare(
      VulkanCalls calls, long byteSize, MemoryType type, VulkanCalls.Dedication dedicatedTo)
      throws VulkanRefusal {
    return new CoveredMemory(calls.allocateMemory(byteSize, type, dedicatedTo), NULL);
  }

  /** Memory with a buffer of a size over it; the memory may be larger than that. */
  static CoveredMemory make(VulkanCalls calls, long byteSize, MemoryType type)
      throws VulkanRefusal {
    long buffer = calls.createBuffer(byteSize, CopyQueue.USAGE);
    try {
      long needed = Math.max(byteSize, calls.bufferRequirements(buffer).byteSize());
      long memory = calls.allocateMemory(needed, type, VulkanCalls.Dedication.NONE);
      try {
        calls.bindBuffer(buffer, memory, 0);
      } catch (VulkanRefusal e) {
        calls.freeMemory(memory);
        throw e;
      }
      return new CoveredMemory(memory, buffer);
    } catch (VulkanRefusal e) {
      calls.destroyBuffer(buffer);
      throw e;
    }
  }

  void end(VulkanCalls calls) {
    if (buffer != NULL) {
      calls.destroyBuffer(buffer);
    }
    calls.freeMemory(memory);
  }
}
