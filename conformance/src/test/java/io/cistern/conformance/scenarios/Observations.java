package io.cistern.conformance.scenarios;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.conformance.Json;
import io.cistern.conformance.Ledger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What one run of a scenario's operations showed. Safe for many threads while it is filled. */
final class Observations {

  private final Map<String, List<ObjectNode>> checks = new LinkedHashMap<>();
  private final Map<String, Result> results = new LinkedHashMap<>();
  private final Map<String, Ledger.Held> places = new LinkedHashMap<>();
  private final ObjectNode end = Json.object();

  // What a second run has to show as well, in order; nothing more once threads ran freely.
  private final List<Object> repeatable = new ArrayList<>();
  private boolean repeats = true;

  synchronized void check(String label, ObjectNode counters) {
    checks.computeIfAbsent(label, _ -> new ArrayList<>()).add(counters);
    repeat(counters);
  }

  synchronized void result(String ref, Result result) {
    results.put(ref, result);
    repeat(result.facts());
  }

  synchronized void place(String id, Ledger.Held held) {
    places.put(id, held);
  }

  synchronized void end(ObjectNode counters) {
    end.setAll(counters);
    repeat(counters);
  }

  /** From here on threads run side by side, and what is seen depends on how they do. */
  synchronized void runFreely() {
    repeats = false;
  }

  private void repeat(Object seen) {
    if (repeats) {
      repeatable.add(seen);
    }
  }

  /** Whether another run showed the same. */
  boolean sameAs(Observations other) {
    return repeatable.equals(other.repeatable);
  }

  /** The counters at each check, by its label. */
  Map<String, List<ObjectNode>> checks() {
    return checks;
  }

  /** What came of operations, by their references. */
  Map<String, Result> results() {
    return results;
  }

  /** Where each allocation was, by its id. */
  Map<String, Ledger.Held> places() {
    return places;
  }

  /** The counters at the end. */
  ObjectNode end() {
    return end;
  }
}
