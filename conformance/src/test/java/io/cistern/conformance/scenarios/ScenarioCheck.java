package io.cistern.conformance.scenarios;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.conformance.Json;
import io.cistern.conformance.LayoutJson;
import io.cistern.conformance.Ledger;
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

  private static final String SAME_AS = "same_as";
  private static final String ONE_OF = "exactly_one_succeeds_of";

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
    } catch (AssertionError | RuntimeException e) {
      check.outcome.fault(e.toString());
    }
    return check.outcome;
  }

  private void run() {
    JsonNode expected = scenario.expected();
    Options options = new Options(scenario.asksForPlaces(), true);
    Observations main =
        observe(
            "main",
            scenario.layout(),
            scenario.waits().isEmpty() ? options : options.withoutWaits());
    if (expected.path("cases").path("report").has("plan_advice")) {
      main.end().put("plan_advice", PlanAdvice.of(scenario));
    }
    if (expected.has("any_of")) {
      outcome.anyOf("main", expected.get("any_of"), (one, choice) -> compare(one, choice, main));
    } else {
      compare(outcome, expected, main);
    }
    if (!scenario.waits().isEmpty()) {
      compareWaits(observe("with waits", scenario.layout(), options));
    }
    scenario.layoutCases().forEach(this::runCase);
    if (expected.has("layout_check")) {
      JsonNode check = expected.get("layout_check");
      JsonNode backend = scenario.backend(Json.object());
      outcome.result("layout_check", check, resolved(backend, inWords(check.get("text").asText())));
    }
  }

  /** Runs the operations twice: the same stream gives the same report each time. */
  private Observations observe(String name, JsonNode layout, Options options) {
    Observations first = runOnce(layout, options);
    if (!first.sameAs(runOnce(layout, options))) {
      outcome.fault(name + ": two runs differ");
    }
    return first;
  }

  private Observations runOnce(JsonNode layout, Options options) {
    try (ScenarioMachine machine = new ScenarioMachine(layout, options)) {
      return machine.run(scenario.ops());
    }
  }

  /**
   * Where a wait and a refusal are both right, each is had by the manager's setting. A request that
   * waited has taken what a later one would get, had it been refused: so only the wait itself and
   * the counters before it are compared.
   */
  private void compareWaits(Observations seen) {
    compareChecks(outcome, scenario.expected(), seen);
    scenario
        .waits()
        .forEach((name, wait) -> compareNamed(outcome, "with waits, ", name, wait, seen));
  }

  private void compare(Outcome result, JsonNode expected, Observations seen) {
    compareChecks(result, expected, seen);
    JsonNode cases = scenario.expected().path("cases");
    for (var one : cases.properties()) {
      if (!one.getValue().has("layout")) {
        compareNamed(result, "", one.getKey(), one.getValue(), seen);
      }
    }
    Set<String> named = cases.propertyStream().map(Map.Entry::getKey).collect(Collectors.toSet());
    cases.forEach(one -> named.addAll(Json.texts(one.path(ONE_OF))));
    compareErrors(result, "", expected.path("errors"), seen, named);
    compareOffsets(result, expected, seen);
  }

  private static void compareChecks(Outcome result, JsonNode expected, Observations seen) {
    for (var check : expected.path("checks").properties()) {
      String what = "check " + check.getKey();
      List<ObjectNode> all = seen.checks().getOrDefault(check.getKey(), List.of());
      if (all.isEmpty()) {
        result.fault(what + " was not come to");
      }
      JsonNode facts = check.getValue().deepCopy();
      JsonNode distinct = ((ObjectNode) facts).remove("distinct_regions");
      all.forEach(counters -> result.facts(what, facts, counters));
      if (distinct != null) {
        compareDistinct(result, what, Json.texts(distinct), seen);
      }
    }
  }

  private static void compareDistinct(
      Outcome result, String what, List<String> ids, Observations seen) {
    for (int i = 0; i < ids.size(); i++) {
      for (String other : ids.subList(i + 1, ids.size())) {
        if (region(seen, ids.get(i)).overlaps(region(seen, other))) {
          result.fault(what + ": " + ids.get(i) + " and " + other + " share memory");
        }
      }
    }
  }

  private static Ledger.Region region(Observations seen, String id) {
    return seen.places().get(id).region();
  }

  /** One of several operations succeeds; the others are refused in one way. */
  private static void compareOneOf(Outcome result, JsonNode expected, Observations seen) {
    List<Result> all = Json.texts(expected.get(ONE_OF)).stream().map(seen.results()::get).toList();
    List<Result> refused = all.stream().filter(one -> one.refusal() != null).toList();
    if (refused.size() != all.size() - 1) {
      result.fault("exactly one succeeds of " + all);
    }
    JsonNode others = Json.object().set("kind", expected.get("others"));
    refused.forEach(one -> result.result("all but one", others, one));
  }

  private static void compareNamed(
      Outcome result, String prefix, String name, JsonNode expected, Observations seen) {
    if (expected.has(ONE_OF)) {
      compareOneOf(result, expected, seen);
    } else if (expected.has(SAME_AS)) {
      compareSame(result, prefix + name, expected.get(SAME_AS).asText(), name, seen);
    } else if (seen.results().containsKey(name)) {
      result.result(prefix + name, expected, seen.results().get(name));
    } else if (name.equals("report")) {
      result.facts(prefix + name, expected, seen.end());
    } else {
      result.fault(prefix + "nothing was done that is called " + name);
    }
  }

  /** Two operations show the same; what the other is to show is compared there. */
  private static void compareSame(
      Outcome result, String what, String other, String name, Observations seen) {
    Result one = seen.results().get(name);
    if (one == null || !one.equals(seen.results().get(other))) {
      result.fault(what + ": is to be the same as " + other + ", Cistern " + one);
    }
  }

  /** Offsets are those of first fit; another sound fit is free to place otherwise. */
  private static void compareOffsets(Outcome result, JsonNode expected, Observations seen) {
    List<String> others = new ArrayList<>();
    for (var offset : expected.path("offsets").properties()) {
      long actual = seen.places().get(offset.getKey()).offset();
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
      JsonNode layout = scenario.layout(expected.path("backend"), expected.get("layout"));
      Observations seen = observe(name, layout, Options.PLAIN);
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
      return Result.ok(Configuration.facts(layout), "");
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
    JsonNode layout = Json.object().set("backend", backend);
    ((ObjectNode) layout).set("pools", pools);
    try (ScenarioMachine machine = new ScenarioMachine(layout, Options.PLAIN)) {
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
