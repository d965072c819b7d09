package io.cistern.vulkan;

import io.cistern.storage.StorageOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSubmitInfo;

/** The driver's calls, with what is out of each kind of object, and refusals on demand. */
class CountingCalls extends VulkanCalls {

  /** What is made and not ended, and all that was made. */
  final Set<Long> memories = ConcurrentHashMap.newKeySet();

  final Set<Long> buffers = ConcurrentHashMap.newKeySet();
  final List<Dedication> dedications = new ArrayList<>();
  final List<Long> byteSizes = new ArrayList<>();
  final List<Integer> types = new ArrayList<>();
  final List<String> ranges = new ArrayList<>();
  int memoriesMade;
  final AtomicInteger buffersMade = new AtomicInteger();
  int imagesDestroyed;

  /** The call that is refused with {@link #result}; none if empty. */
  String refused = "";

  int result;

  CountingCalls(VkDevice device) {
    super(device);
  }

  /** A storage on these calls. */
  static Counted open(StorageOptions options, UnaryOperator<DeviceSetup> change) {
    List<CountingCalls> calls = new ArrayList<>();
    VulkanStorage storage =
        Lavapipe.open(
            options,
            setup -> {
              calls.add(new CountingCalls(setup.device()));
              return change.apply(setup.withCalls(calls.getFirst()));
            });
    return new Counted(storage, calls.getFirst());
  }

  static Counted open(StorageOptions options) {
    return open(options, UnaryOperator.identity());
  }

  /** A storage and its calls. */
  record Counted(VulkanStorage storage, CountingCalls calls) implements AutoCloseable {
    /** Ends the storage; nothing is left. */
    @Override
    public void close() {
      storage.close();
      if (!calls.memories.isEmpty() || !calls.buffers.isEmpty()) {
        throw new AssertionError(
            "left: " + calls.memories.size() + " memories, " + calls.buffers.size() + " buffers");
      }
    }
  }

  void refuse(String call, int code) {
    refused = call;
    result = code;
  }

  private void maybe(String call) throws VulkanRefusal {
    if (refused.equals(call)) {
      throw new VulkanRefusal(call, result);
    }
  }

  @Override
  long allocateMemory(long byteSize, MemoryType type, Dedication dedicatedTo) throws VulkanRefusal {
    maybe("vkAllocateMemory");
    long memory = super.allocateMemory(byteSize, type, dedicatedTo);
    memories.add(memory);
    memoriesMade++;
    dedications.add(dedicatedTo);
    byteSizes.add(byteSize);
    types.add(type.index());
    return memory;
  }

  @Override
  void freeMemory(long memory) {
    super.freeMemory(memory);
    removeOnce(memories, memory);
  }

  @Override
  long map(long memory) throws VulkanRefusal {
    maybe("vkMapMemory");
    return super.map(memory);
  }

  @Override
  void flush(long memory, long byteOffset, long byteSize) throws VulkanRefusal {
    maybe("vkFlushMappedMemoryRanges");
    ranges.add("flush " + byteOffset + " " + byteSize);
    super.flush(memory, byteOffset, byteSize);
  }

  @Override
  void invalidate(long memory, long byteOffset, long byteSize) throws VulkanRefusal {
    maybe("vkInvalidateMappedMemoryRanges");
    ranges.add("invalidate " + byteOffset + " " + byteSize);
    super.invalidate(memory, byteOffset, byteSize);
  }

  @Override
  long createBuffer(long byteSize, int usage) throws VulkanRefusal {
    maybe("vkCreateBuffer");
    long buffer = super.createBuffer(byteSize, usage);
    buffers.add(buffer);
    buffersMade.incrementAndGet();
    return buffer;
  }

  @Override
  void destroyBuffer(long buffer) {
    super.destroyBuffer(buffer);
    removeOnce(buffers, buffer);
  }

  @Override
  void destroyImage(long image) {
    super.destroyImage(image);
    imagesDestroyed++;
  }

  @Override
  void bindBuffer(long buffer, long memory, long byteOffset) throws VulkanRefusal {
    maybe("vkBindBufferMemory");
    super.bindBuffer(buffer, memory, byteOffset);
  }

  @Override
  void bindImage(long image, long memory, long byteOffset) throws VulkanRefusal {
    maybe("vkBindImageMemory");
    super.bindImage(image, memory, byteOffset);
  }

  @Override
  void submit(VkQueue queue, VkSubmitInfo work, long fence) throws VulkanRefusal {
    maybe("vkQueueSubmit");
    super.submit(queue, work, fence);
  }

  private static void removeOnce(Set<Long> set, long handle) {
    if (!set.remove(handle)) {
      throw new AssertionError("0x" + Long.toHexString(handle) + " is not out");
    }
  }
}
