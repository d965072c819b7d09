package io.cistern.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.layout.PoolLayout;
import io.cistern.layout.ResolvedPool;
import io.cistern.storage.DeviceProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Layouts in the words of the data, both ways. */
public final class LayoutJson {

  private LayoutJson() {}

  /** A vector's layout: {@code default}, {@code preset}, {@code explicit} or {@code raw}. */
  public static MemoryPoolsConfig config(JsonNode layout, DeviceProperties device) {
    return switch (layout.get("kind").asText()) {
      case "default" -> PoolLayout.defaultFor(device);
      case "preset" -> MemoryPoolsConfig.Preset.named(layout.get("preset").asText()).orElseThrow();
      // Cistern has no unchecked configuration: what is raw is checked like any other.
      case "explicit", "raw" -> config(layout.get("pools"));
      default -> throw new IllegalArgumentException("unknown layout: " + layout);
    };
  }

  /** A list of entries; one with {@code "repeat":K} stands for K equal ones. */
  public static MemoryPoolsConfig config(JsonNode entries) {
    List<MemoryPoolConfig> pools = new ArrayList<>();
    for (JsonNode entry : entries) {
      for (int i = entry.path("repeat").asInt(1); i > 0; i--) {
        pools.add(entry(entry));
      }
    }
    return new MemoryPoolsConfig.Explicit(pools);
  }

  private static MemoryPoolConfig entry(JsonNode entry) {
    String kind = entry.path(entry.has("kind") ? "kind" : "type").asText();
    return switch (kind) {
      case "exclusive" ->
          new MemoryPoolConfig.Exclusive(size(entry.get("max_alloc_size")), period(entry));
      case "direct" -> new MemoryPoolConfig.Direct(optionalSize(entry, "reclaim_at"));
      case "sliced" ->
          new MemoryPoolConfig.Sliced(
              size(entry.get("page_size")),
              optionalSize(entry, "max_slice_size"),
              optionalSize(entry, "max_pool_size"),
              period(entry));
      default -> throw new IllegalArgumentException("unknown kind of pool: " + entry);
    };
  }

  private static MemorySize size(JsonNode value) {
    return value.isTextual() ? MemorySize.parse(value.asText()) : MemorySize.of(Json.number(value));
  }

  private static Optional<MemorySize> optionalSize(JsonNode entry, String field) {
    return Json.has(entry, field) ? Optional.of(size(entry.get(field))) : Optional.empty();
  }

  private static OptionalLong period(JsonNode entry) {
    return Json.has(entry, "dealloc_period")
        ? OptionalLong.of(Json.number(entry.get("dealloc_period")))
        : OptionalLong.empty();
  }

  /** The pools in force, in routing order, as the vectors write them. */
  public static ArrayNode table(PoolLayout layout) {
    ArrayNode table = JsonNodeFactory.instance.arrayNode();
    layout.pools().forEach(pool -> table.add(row(pool)));
    return table;
  }

  /** One pool in force, as the vectors write it. */
  public static ObjectNode row(ResolvedPool pool) {
    ObjectNode row = Json.object();
    switch (pool) {
      case ResolvedPool.Sliced sliced -> {
        row.put("kind", "sliced");
        row.put("page_size", sliced.pageByteSize());
        row.put("max_slice_size", sliced.maxSliceByteSize());
        row.put("max_pool_size", boxed(sliced.maxPoolByteSize()));
        row.put("dealloc_period", boxed(sliced.deallocPeriod()));
      }
      case ResolvedPool.Exclusive exclusive -> {
        row.put("kind", "exclusive");
        row.put("max_alloc_size", exclusive.maxAllocByteSize());
        row.put("dealloc_period", boxed(exclusive.deallocPeriod()));
      }
      case ResolvedPool.Direct direct -> {
        row.put("kind", "direct");
        row.put("reclaim_at", boxed(direct.reclaimAtByteSize()));
      }
    }
    return row;
  }

  private static Long boxed(OptionalLong value) {
    return value.isPresent() ? Long.valueOf(value.getAsLong()) : null;
  }
}
