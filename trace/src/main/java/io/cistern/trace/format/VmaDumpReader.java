package io.cistern.trace.format;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.cistern.trace.TraceException;
import io.cistern.trace.input.JsonInput;
import io.cistern.trace.report.VmaDump;
import io.cistern.trace.report.VmaDump.Figures;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads a JSON dump of the Vulkan Memory Allocator, of version 2 or 3. */
public final class VmaDumpReader {

  private final Map<String, Long> total = new LinkedHashMap<>();
  private final Map<String, Map<String, Long>> heaps = new LinkedHashMap<>();

  private VmaDumpReader() {}

  /**
   * Reads a dump.
   *
   * @throws TraceException if it is none
   * @throws IOException if the input can't be read
   */
  public static VmaDump read(TraceInput input) throws IOException {
    VmaDumpReader reader = new VmaDumpReader();
    JsonInput.read(input.in(), input.faults(), reader::document);
    if (reader.total.isEmpty()) {
      throw input.faults().error(1, "this is no VMA dump: it has no \"Total\"");
    }
    Map<String, Figures> heaps = new LinkedHashMap<>();
    reader.heaps.forEach((name, values) -> heaps.put(name, figures(values)));
    return new VmaDump(figures(reader.total), heaps);
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

  private void document(JsonParser parser) throws IOException {
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
