package io.cistern.conformance.scenarios;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.conformance.Json;
import io.cistern.conformance.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Compares what a scenario expects with what was observed; keeps the faults and what was left out.
 */
final class Outcome {

  /** What describes an expectation and is none. */
  private static final Set<String> WORDS =
      Set.of("note", "name", "kind", "error", "message_names", "same_region_allowed");

  /** In a list of kinds: one more kind, and what is none. */
  private static final Pattern ALTERNATIVE = Pattern.compile(" *\\((or [^)]*)\\)");

  private static final Pattern REMARK = Pattern.compile(" *\\(.*\\)");

  private static final String TEXT_AS_GIVEN = "the text as given";

  private final List<String> faults = new ArrayList<>();
  private final List<String> leftOut = new ArrayList<>();

  List<String> faults() {
    return faults;
  }

  /** What the scenario asks for and Cistern does not report. */
  List<String> leftOut() {
    return leftOut;
  }

  void fault(String text) {
    faults.add(text);
  }

  /** Compares one of several alternatives; takes the first that holds. */
  void anyOf(String what, JsonNode alternatives, Comparison comparison) {
    List<String> all = new ArrayList<>();
    for (JsonNode alternative : alternatives) {
      Outcome outcome = new Outcome();
      comparison.compare(outcome, alternative);
      if (outcome.faults.isEmpty()) {
        leftOut.addAll(outcome.leftOut);
        return;
      }
      all.addAll(outcome.faults);
    }
    fault(what + ": none of the alternatives holds: " + all);
  }

  /** Compares an alternative into an outcome of its own. */
  interface Comparison {
    void compare(Outcome outcome, JsonNode alternative);
  }

  /** Compares each field of an expectation that is a fact: a number, or a bound on one. */
  void facts(String what, JsonNode expected, ObjectNode actual) {
    for (var field : expected.properties()) {
      String key = field.getKey();
      if (WORDS.contains(key)) {
        continue;
      }
      if (key.equals("offset_multiple_of")) {
        holds(
            what + ", offset",
            actual.get("offset").longValue() % field.getValue().longValue() == 0);
      } else if (actual.has(key)) {
        fact(what + ", " + key, field.getValue(), actual.get(key));
      } else {
        leftOut.add(what + ", " + key);
      }
    }
  }

  private void fact(String what, JsonNode expected, JsonNode actual) {
    boolean same =
        !isBound(expected)
            ? Json.covers(withoutNotes(expected), actual)
            : actual.longValue() <= expected.path("max").asLong(Long.MAX_VALUE)
                && actual.longValue() >= expected.path("min").asLong(Long.MIN_VALUE);
    if (!same) {
      fault(what + ": expected " + expected + ", Cistern " + actual);
    }
  }

  private static JsonNode withoutNotes(JsonNode expected) {
    JsonNode bare = expected.deepCopy();
    for (JsonNode part : bare.findParents("note")) {
      ((ObjectNode) part).remove("note");
    }
    return bare;
  }

  private static boolean isBound(JsonNode expected) {
    return expected.has("max") || expected.has("min");
  }

  private void holds(String what, boolean condition) {
    if (!condition) {
      fault(what);
    }
  }

  /** Compares what came of an operation with a case of the scenario. */
  void result(String what, JsonNode expected, Result actual) {
    if (expected.has("any_of")) {
      anyOf(what, expected.get("any_of"), (one, choice) -> one.result(what, choice, actual));
    } else if (expected.isNumber()) {
      fact(what, expected, actual.facts().path("value"));
    } else if (expected.has("error") || expected.has("kind")) {
      refusal(what, expected, actual);
    } else if (actual.refusal() != null && !actual.facts().has("ok")) {
      fault(what + ": expected " + expected + ", Cistern refuses: " + actual);
    } else {
      facts(what, expected, actual.facts());
    }
  }

  /**
   * Compares a refusal: one of the kinds, the figures that it must carry, the words of its text.
   */
  private void refusal(String what, JsonNode expected, Result actual) {
    Refusal refusal = actual.refusal();
    if (refusal == null) {
      fault(what + ": expected to be refused, " + expected + ", Cistern " + actual);
      return;
    }
    String kinds = expected.path(expected.has("kind") ? "kind" : "error").asText();
    holds(what + ": expected " + kinds + ", Cistern " + actual, oneOf(kinds, refusal.kind()));
    for (var field : expected.properties()) {
      if (!WORDS.contains(field.getKey())) {
        fact(what + ", " + field.getKey(), field.getValue(), refusal.values().path(field.getKey()));
      }
    }
    for (String name : Json.texts(expected.path("message_names"))) {
      List<String> words =
          name.equals(TEXT_AS_GIVEN) ? List.of(actual.given()) : List.of(name.split(" or "));
      holds(
          what + ": \"" + refusal.message() + "\" does not name " + name,
          words.stream().anyMatch(refusal.message()::contains));
    }
  }

  private static boolean oneOf(String kinds, String kind) {
    String all = ALTERNATIVE.matcher(kinds).replaceAll(" $1");
    return List.of(REMARK.matcher(all).replaceAll("").split(" or ")).contains(kind);
  }
}
