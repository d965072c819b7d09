package io.cistern.trace;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
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

  /**
   * Reads a dump.
   *
   * @throws TraceException if it is none
   * @throws IOException if the file can't be read
   */
  public static VmaDump read(Path file, TraceFaults faults) throws IOException {
    try (PeekedInput in = Traces.unpacked(file, faults)) {
      Reading reading = new Reading();
      JsonInput.read(new TraceInput(in, ReadOptions.DEFAULT, faults), reading::document);
      if (reading.total.isEmpty()) {
        throw faults.error(1, "this is no VMA dump: it has no \"Total\"");
      }
      Map<String, Figures> heaps = new LinkedHashMap<>();
      reading.heaps.forEach((name, values) -> heaps.put(name, figures(values)));
      return new VmaDump(figures(reading.total), heaps);
    }
  }

  /** By the names of VMA 3, or else by those of VMA 2. */
  private static Figures figures(Map<String, Long> values) {
    long used = values.getOrDefault("UsedBytes", 0L);
    return new Figures(
        values.getOrDefault("BlockCount", values.getOrDefault("Blocks", 0L)),
        values.getOrDefault("BlockBytes", used + values.getOrDefault("UnusedBytes", 0L)),
        values.getOrDefault("AllocationCount", values.getOrDefault("Allocations", 0L)),
        values.getOrDefault("AllocationBytes", used),
        values.getOrDefault("UnusedRangeCount", values.getOrDefault("UnusedRanges", 0L)),
        values.getOrDefault("UnusedRangeSizeMax", 0L));
  }

  private static final class Reading {

    private final Map<String, Long> total = new LinkedHashMap<>();
    private final Map<String, Map<String, Long>> heaps = new LinkedHashMap<>();

    void document(JsonParser parser) throws IOException {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return;
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        boolean object = parser.nextToken() == JsonToken.START_OBJECT;
        if (object && name.equals("Total")) {
          numbers(parser, total);
        } else if (object && name.equals("MemoryInfo")) {
          heaps(parser);
        } else if (object && name.startsWith("Heap ")) {
          heap(parser, name);
        } else {
          parser.skipChildren();
        }
      }
    }

    private void heaps(JsonParser parser) throws IOException {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        if (parser.nextToken() == JsonToken.START_OBJECT) {
          heap(parser, name);
        } else {
          parser.skipChildren();
        }
      }
    }

    private void heap(JsonParser parser, String heap) throws IOException {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        if (parser.nextToken() == JsonToken.START_OBJECT && name.equals("Stats")) {
          numbers(parser, heaps.computeIfAbsent(heap, _ -> new LinkedHashMap<>()));
        } else {
          parser.skipChildren();
        }
      }
    }

    private static void numbers(JsonParser parser, Map<String, Long> values) throws IOException {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        if (JsonInput.isLong(parser)) {
          values.put(name, parser.getLongValue());
        }
        parser.skipChildren();
      }
    }
  }
}
