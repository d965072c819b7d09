package io.cistern.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.conformance.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The decisions where a recording does not bind, from {@code vectors-exceptions.json}: each names
 * the vector, the step or pools, what is asserted instead, and why.
 */
final class Exceptions {

  private static final Path FILE = Path.of("vectors-exceptions.json");

  private final ObjectNode json = Json.read(FILE);

  /** What a step is to answer instead of what was recorded. */
  record InsteadOfStep(ObjectNode answer, String why) {}

  /**
   * Cistern's own figures of all exclusive pools and some others together, asserted exactly at each
   * step.
   *
   * @param pools the others
   * @param at from which step on which figures hold: {@code reserved allocations frees}
   */
  record OwnFigures(Set<Integer> pools, NavigableMap<Integer, String> at, String why) {}

  /** How many pages Cistern may hold more than was recorded. */
  record MissedBound(String vector, int pages, String why) {}

  Optional<InsteadOfStep> step(String vector, int step) {
    return entries("steps", vector)
        .filter(entry -> entry.get("step").asInt() == step)
        .map(entry -> new InsteadOfStep((ObjectNode) entry.get("instead"), why(entry)))
        .findFirst();
  }

  Optional<OwnFigures> figures(String vector) {
    return entries("figures", vector)
        .map(entry -> new OwnFigures(pools(entry), changes(entry.get("at")), why(entry)))
        .findFirst();
  }

  Optional<MissedBound> bound(String vector) {
    return entries("bounds", vector).map(Exceptions::missedBound).findFirst();
  }

  List<MissedBound> bounds() {
    return json.get("bounds").valueStream().map(Exceptions::missedBound).toList();
  }

  private Stream<JsonNode> entries(String section, String vector) {
    return json.get(section)
        .valueStream()
        .filter(entry -> entry.get("vector").asText().equals(vector));
  }

  private static String why(JsonNode entry) {
    return entry.get("why").asText();
  }

  private static Set<Integer> pools(JsonNode entry) {
    return entry.path("pools").valueStream().map(JsonNode::asInt).collect(Collectors.toSet());
  }

  private static NavigableMap<Integer, String> changes(JsonNode at) {
    NavigableMap<Integer, String> changes = new TreeMap<>();
    at.propertyStream()
        .forEach(step -> changes.put(Integer.valueOf(step.getKey()), step.getValue().asText()));
    return changes;
  }

  private static MissedBound missedBound(JsonNode entry) {
    return new MissedBound(entry.get("vector").asText(), entry.get("pages").asInt(), why(entry));
  }
}
