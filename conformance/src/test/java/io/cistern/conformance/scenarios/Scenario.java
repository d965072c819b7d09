package io.cistern.conformance.scenarios;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.conformance.Json;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** One public report retold: a layout, operations, and the right outcome. */
record Scenario(String name, ObjectNode json) {

  private static final String HANDLES = "part 2";
  private static final String READERS = "part 5";

  /** What Cistern can't do yet, and the part of the work that brings it. */
  private static final Map<String, String> LATER =
      Map.ofEntries(
          Map.entry("capture_abort", HANDLES),
          Map.entry("capture_begin", HANDLES),
          Map.entry("capture_end", HANDLES),
          Map.entry("capture_priming_end", HANDLES),
          Map.entry("close", HANDLES),
          Map.entry("complete", HANDLES),
          Map.entry("dup", HANDLES),
          Map.entry("free_foreign", HANDLES),
          Map.entry("graph_destroy", HANDLES),
          Map.entry("launch", HANDLES),
          Map.entry("parallel", HANDLES),
          Map.entry("persistent_begin", HANDLES),
          Map.entry("persistent_end", HANDLES),
          Map.entry("replay", READERS),
          Map.entry("replay_graph", HANDLES),
          Map.entry("stream_close", HANDLES),
          Map.entry("stream_open", HANDLES),
          Map.entry("sync", HANDLES),
          Map.entry("thread_exit", HANDLES));

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

  /** The words that this scenario has to wait for; empty if Cistern can do it all. */
  Optional<String> waitsFor() {
    Set<String> words = new TreeSet<>();
    collect(ops(), words);
    if (layout().path("dry_run").asBoolean()) {
      words.add("dry_run (" + HANDLES + ")");
    }
    if (!layout().path("persistent").asText("enabled").equals("enabled")) {
      words.add("persistent (" + HANDLES + ")");
    }
    return words.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", words));
  }

  private static void collect(JsonNode value, Set<String> words) {
    String op = value.path("op").asText();
    if (LATER.containsKey(op)) {
      words.add(op + " (" + LATER.get(op) + ")");
    }
    if (op.equals("alloc") && Json.has(value, "stream")) {
      words.add("streams (" + HANDLES + ")");
    }
    value.forEach(part -> collect(part, words));
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

  /** The back end, with what a case overrides. */
  JsonNode backend(JsonNode overrides) {
    ObjectNode backend = layout().get("backend").deepCopy();
    overrides.propertyStream().forEach(field -> backend.set(field.getKey(), field.getValue()));
    return backend;
  }
}
