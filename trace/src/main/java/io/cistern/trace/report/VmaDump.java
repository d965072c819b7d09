package io.cistern.trace.report;

import java.util.Map;

/**
 * What a JSON dump of the Vulkan Memory Allocator ({@code vmaBuildStatsString}) tells of its one
 * moment. It has no calls, so it can't be replayed.
 *
 * @param total of all heaps
 * @param heaps of each heap, by name
 */
public record VmaDump(Figures total, Map<String, Figures> heaps) {

  /**
   * What is held. Sizes are in bytes.
   *
   * @param blocks blocks of device memory
   * @param blockBytes their bytes
   * @param allocations the allocations in them
   * @param allocationBytes their bytes
   * @param unusedRanges the ranges between them
   * @param largestUnused the largest of these in bytes; 0 if there is none
   */
  public record Figures(
      long blocks,
      long blockBytes,
      long allocations,
      long allocationBytes,
      long unusedRanges,
      long largestUnused) {}
}
