package io.cistern.vulkan;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * What a device allows, as far as memory goes; alignments are powers of two.
 *
 * @param maxAllocations how many {@code VkDeviceMemory} a device has at once
 * @param maxAllocationByteSize how large one may be
 * @param bufferImageGranularity how far apart a buffer and an image with a layout of its own stand
 * @param nonCoherentAtomByteSize what flushes and invalidations begin and end at multiples of
 * @param minMapAlignment what the address of mapped memory is a multiple of
 * @param minUniformAlignment of a uniform buffer's offset
 * @param minStorageAlignment of a storage buffer's offset
 * @param minTexelAlignment of a texel buffer's offset
 * @param types the memory types in the driver's order; copied
 * @param heapByteSizes the sizes of the heaps, by number; copied
 */
record VulkanLimits(
    long maxAllocations,
    long maxAllocationByteSize,
    long bufferImageGranularity,
    long nonCoherentAtomByteSize,
    long minMapAlignment,
    long minUniformAlignment,
    long minStorageAlignment,
    long minTexelAlignment,
    List<MemoryType> types,
    List<Long> heapByteSizes) {

  VulkanLimits {
    types = List.copyOf(types);
    heapByteSizes = List.copyOf(heapByteSizes);
  }

  /**
   * What slices are aligned to at least, so that a slice may be bound to anything and flushed
   * without its neighbours. The largest of powers of two is a multiple of all of them.
   */
  long byteAlignment() {
    return LongStream.of(
            bufferImageGranularity,
            nonCoherentAtomByteSize,
            minUniformAlignment,
            minStorageAlignment,
            minTexelAlignment)
        .max()
        .orElseThrow();
  }

  /** For people who choose a device. */
  Map<String, Long> asMap() {
    Map<String, Long> map = new LinkedHashMap<>();
    map.put("max-blocks", maxAllocations);
    map.put("max-block-bytes", maxAllocationByteSize);
    map.put("buffer-image-granularity", bufferImageGranularity);
    map.put("non-coherent-atom-bytes", nonCoherentAtomByteSize);
    map.put("min-map-alignment", minMapAlignment);
    map.put("min-uniform-alignment", minUniformAlignment);
    map.put("min-storage-alignment", minStorageAlignment);
    map.put("min-texel-alignment", minTexelAlignment);
    map.put("memory-types", (long) types.size());
    for (int heap = 0; heap < heapByteSizes.size(); heap++) {
      map.put("heap-" + heap + "-bytes", heapByteSizes.get(heap));
    }
    return map;
  }
}
