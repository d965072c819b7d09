package io.cistern.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.conformance.Json;

/**
 * The pool table that the contract gives a list of entries, where the recording's does not bind.
 */
final class Rounding {

  private Rounding() {}

  /** The answer with the table, or with the error of the first cap that holds no page. */
  static ObjectNode answer(JsonNode entries, long alignment) {
    ObjectNode answer = Json.object().put("result", "ok");
    ArrayNode pools = answer.putArray("pools");
    for (JsonNode entry : entries) {
      ObjectNode row = row(entry, alignment);
      if (row.path("max_pool_size").asLong(1) == 0) {
        answer.put("result", "error");
        answer
            .putObject("error")
            .put("variant", "CapSmallerThanPage")
            .put("page_size", row.get("page_size").longValue())
            .put("max_pool_size", entry.get("max_pool_size").longValue());
        return answer;
      }
      pools.add(row);
    }
    return answer;
  }

  private static ObjectNode row(JsonNode entry, long alignment) {
    ObjectNode row = entry.deepCopy();
    for (String field : new String[] {"page_size", "max_slice_size", "max_alloc_size"}) {
      if (Json.has(entry, field)) {
        row.put(field, up(entry.get(field).longValue(), alignment));
      }
    }
    if (row.has("page_size")) {
      long page = row.get("page_size").longValue();
      if (!Json.has(row, "max_slice_size")) {
        row.put("max_slice_size", page);
      }
      if (Json.has(entry, "max_pool_size")) {
        row.put("max_pool_size", entry.get("max_pool_size").longValue() / page * page);
      }
    }
    return row;
  }

  private static long up(long size, long alignment) {
    return (size + alignment - 1) / alignment * alignment;
  }
}
