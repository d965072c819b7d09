package io.cistern.conformance.scenarios;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.conformance.Json;
import io.cistern.conformance.LayoutJson;
import io.cistern.layout.PoolLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Runs one scenario, and its cases with layouts of their own, and compares what they show with what
 * it expects.
 */
final class ScenarioCheck {

  /** Such as {@code fourth_page}: the request for that page of the case's layout. */
  private static final List<String> PAGES =
      List.of("first_page", "second_page", "third_page", "fourth_page", "fifth_page");

  private static final Pattern FIELD =
      Pattern.compile("([a-z]+(?:_[a-z]+)+) (\\d+ ?[KMGTPE]?i?B?)");

  private final Scenario scenario;
  private final Outcome outcome = new Outcome();

  private ScenarioCheck(Scenario scenario) {
    this.scenario = scenario;
  }

  static Outcome run(Scenario scenario) {
    ScenarioCheck check = new ScenarioCheck(scenario);
    try {
      check.run();
    } catch (AssertionError e) {
      check.outcome.fault(e.toString());
    }
    return check.outcome;
  }

  private void run() {
    JsonNode expected = scenario.expected();
    JsonNode backend = scenario.backend(Json.object());
    Observations main = observe("main", backend, scenario.layout().get("pools"));
    if (expected.has("any_of")) {
      outcome.anyOf("main", expected.get("any_of"), (one, choice) -> compare(one, choice, main));
    } else {
      compare(outcome, expected, main);
    }
    scenario.layoutCases().forEach(this::runCase);
    if (expected.has("layout_check")) {
      JsonNode check = expected.get("layout_check");
      outcome.result("layout_check", check, resolved(backend, inWords(check.get("text").asText())));
    }
  }

  /** Runs the operations twice: the same stream gives the same report each time. */
  private Observations observe(String name, JsonNode backend, JsonNode pools) {
    Observations first = runOnce(backend, pools);
    Observations second = runOnce(backend, pools);
    if (!first.checks().equals(second.checks())
        || !first.end().equals(second.end())
        || !first.offsets().equals(second.offsets())) {
      outcome.fault(name + ": two runs differ");
    }
    return first;
  }

  private Observations runOnce(JsonNode backend, JsonNode pools) {
    try (ScenarioMachine machine = new ScenarioMachine(backend, pools)) {
      return machine.run(scenario.ops());
    }
  }

  private void compare(Outcome result, JsonNode expected, Observations seen) {
    for (var check : expected.path("checks").properties()) {
      for (ObjectNode counters : seen.checks().getOrDefault(check.getKey(), List.of())) {
        result.facts("check " + check.getKey(), check.getValue(), counters);
      }
    }
    JsonNode cases = scenario.expected().path("cases");
    for (var one : cases.properties()) {
      if (!one.getValue().has("layout")) {
        compareNamed(result, "", one.getKey(), one.getValue(), seen);
      }
    }
    Set<String> named = cases.propertyStream().map(Map.Entry::getKey).collect(Collectors.toSet());
    compareErrors(result, "", expected.path("errors"), seen, named);
    compareOffsets(result, expected, seen);
  }

  private static void compareNamed(
      Outcome result, String prefix, String name, JsonNode expected, Observations seen) {
    if (seen.results().containsKey(name)) {
      result.result(prefix + name, expected, seen.results().get(name));
    } else if (name.equals("report")) {
      result.facts(prefix + name, expected, seen.end());
    } else {
      result.fault(prefix + "nothing was done that is called " + name);
    }
  }

  /** Offsets are those of first fit; another sound fit is free to place otherwise. */
  private static void compareOffsets(Outcome result, JsonNode expected, Observations seen) {
    List<String> others = new ArrayList<>();
    for (var offset : expected.path("offsets").properties()) {
      long actual = seen.offsets().get(offset.getKey());
      if (actual != offset.getValue().longValue()) {
        others.add(offset.getKey() + " at " + actual + " for " + offset.getValue());
      }
    }
    if (!others.isEmpty()) {
      result.leftOut().add("offsets of first fit: " + others);
    }
  }

  /** What is named is refused as it says; nothing else is, unless a case speaks of it. */
  private static void compareErrors(
      Outcome result, String prefix, JsonNode errors, Observations seen, Set<String> cases) {
    for (var error : errors.properties()) {
      compareNamed(result, prefix, error.getKey(), error.getValue(), seen);
    }
    for (Map.Entry<String, Result> one : seen.results().entrySet()) {
      String name = one.getKey();
      if (one.getValue().refusal() != null && !errors.has(name) && !cases.contains(name)) {
        result.fault(prefix + name + " was refused: " + one.getValue());
      }
    }
  }

  private void runCase(String name, JsonNode expected) {
    JsonNode backend = scenario.backend(expected.path("backend"));
    if (expected.has("final")) {
      Observations seen = observe(name, backend, expected.get("layout"));
      outcome.facts(name, expected.get("final"), seen.end());
      compareErrors(outcome, name + ", ", expected.path("errors"), seen, Set.of());
    } else {
      compareLayout(name, expected, backend);
    }
  }

  private void compareLayout(String name, JsonNode expected, JsonNode backend) {
    JsonNode pools = expected.get("layout");
    Result result = resolved(backend, pools);
    ObjectNode ofLayout = expected.deepCopy();
    ofLayout.remove(List.of("layout", "backend", "report"));
    ofLayout.remove(PAGES);
    outcome.result(name, ofLayout, result);
    outcome.facts(name, expected.path("report"), result.facts());
    for (int i = 0; i < PAGES.size(); i++) {
      String page = PAGES.get(i);
      if (expected.has(page)) {
        Result request = requestPage(backend, pools, i, result.facts());
        outcome.result(name + ", " + page, expected.get(page), request);
      }
    }
  }

  private static Result resolved(JsonNode backend, JsonNode pools) {
    try {
      PoolLayout layout = PoolLayout.resolve(LayoutJson.config(pools), BackEnd.device(backend));
      return Result.ok(ScenarioMachine.facts(layout), "");
    } catch (RuntimeException e) {
      return Result.refused(e, "");
    }
  }

  /** What comes of the request for a page when so many are taken. */
  private static Result requestPage(JsonNode backend, JsonNode pools, int taken, ObjectNode facts) {
    ObjectNode op = Json.object().put("op", "alloc").put("id", "page${i}");
    op.set("size", facts.get("page_size_used"));
    ObjectNode loop =
        Json.object().put("op", "for").put("var", "i").put("from", 0).put("to", taken);
    loop.putArray("body").add(op);
    try (ScenarioMachine machine = new ScenarioMachine(backend, pools)) {
      return machine.run(Json.object().putArray("ops").add(loop)).results().get("page" + taken);
    }
  }

  /** A layout of one entry in words: {@code sliced page_size 1 KiB with max_pool_size 2 MiB}. */
  private static JsonNode inWords(String text) {
    ObjectNode entry = Json.object().put("type", text.substring(0, text.indexOf(' ')));
    for (MatchResult field : FIELD.matcher(text).results().toList()) {
      entry.put(field.group(1), field.group(2));
    }
    return Json.object().putArray("pools").add(entry);
  }
}
