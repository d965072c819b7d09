package io.cistern.conformance.scenarios;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.conformance.Json;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** One public report retold: a layout, operations, and the right outcome. */
record Scenario(String name, ObjectNode json) {

  static Scenario read(Path file) {
    return new Scenario(file.getFileName().toString().replace(".json", ""), Json.read(file));
  }

  JsonNode layout() {
    return json.get("layout");
  }

  JsonNode ops() {
    return json.get("ops");
  }

  JsonNode expected() {
    return json.get("expected");
  }

  /**
   * The cases that stand for layouts of their own, by name: those with {@code final} run the same
   * operations, the others only say what becomes of the layout.
   */
  Map<String, JsonNode> layoutCases() {
    Map<String, JsonNode> cases = new LinkedHashMap<>();
    for (var entry : expected().path("cases").properties()) {
      if (entry.getValue().has("layout")) {
        cases.put(entry.getKey(), entry.getValue());
      }
    }
    return cases;
  }

  /** Whether the report of a close is to say where allocations were asked for. */
  boolean asksForPlaces() {
    return expected().findValue("each_has_place_of_allocation_when_tracking_is_on") != null;
  }

  /** The cases of which a wait for device work is one of several right outcomes, by name. */
  Map<String, JsonNode> waits() {
    Map<String, JsonNode> waits = new LinkedHashMap<>();
    for (var entry : expected().path("cases").properties()) {
      for (JsonNode choice : entry.getValue().path("any_of")) {
        if (choice.has("waits_for")) {
          waits.put(entry.getKey(), choice);
        }
      }
    }
    return waits;
  }

  /** The layout, with what a case overrides of its back end, and other pools. */
  JsonNode layout(JsonNode backend, JsonNode pools) {
    ObjectNode changed = layout().deepCopy();
    changed.set("backend", backend(backend));
    changed.set("pools", pools);
    return changed;
  }

  /** The back end, with what a case overrides. */
  JsonNode backend(JsonNode overrides) {
    ObjectNode backend = layout().get("backend").deepCopy();
    overrides.propertyStream().forEach(field -> backend.set(field.getKey(), field.getValue()));
    return backend;
  }
}
