package io.cistern.conformance.scenarios;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.MemorySize;
import io.cistern.conformance.Json;
import io.cistern.layout.PoolLayout;
import io.cistern.layout.ResolvedPool;
import io.cistern.storage.DeviceProperties;
import io.cistern.toml.LayoutFile;

/** Sizes and layouts that are read and not installed. */
final class Configuration {

  private Configuration() {}

  /** The text of a size: as it is, or one that is repeated. */
  static String sizeText(JsonNode op) {
    JsonNode repeat = op.path("text_repeat");
    return op.has("text")
        ? op.get("text").asText()
        : repeat.get(0).asText().repeat(repeat.get(1).asInt());
  }

  static ObjectNode parseSize(String text) {
    return Json.object().put("value", MemorySize.parse(text).bytes());
  }

  /** Read as a file is, then worked out for the device. */
  static ObjectNode parseLayout(JsonNode op, String name, DeviceProperties device) {
    LayoutFile file =
        op.has("json")
            ? LayoutFile.parseJson(op.get("json").toString(), name)
            : LayoutFile.parse(op.get("text").asText(), name);
    return facts(PoolLayout.resolve(file.pools(), device));
  }

  /** What a layout makes of its last entry, in the scenarios' words. */
  static ObjectNode facts(PoolLayout layout) {
    ObjectNode facts = Json.object();
    if (layout.pools().getLast() instanceof ResolvedPool.Sliced sliced) {
      facts.put("page_size_used", sliced.pageByteSize());
      sliced.maxPages().ifPresent(pages -> facts.put("max_pages", pages));
      sliced
          .maxPoolByteSize()
          .ifPresent(
              cap ->
                  facts
                      .put("cap_used", cap)
                      .put("never_reserved_above", cap)
                      .put("max_pool_size_effective", cap));
    }
    return facts;
  }
}
