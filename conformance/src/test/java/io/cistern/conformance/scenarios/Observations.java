package io.cistern.conformance.scenarios;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one run of a scenario's operations showed.
 *
 * @param checks the counters at each check, by its label
 * @param results what came of operations, by their references
 * @param offsets where each allocation began in its block, by its id
 * @param end the counters at the end
 */
record Observations(
    Map<String, List<ObjectNode>> checks,
    Map<String, Result> results,
    Map<String, Long> offsets,
    ObjectNode end) {

  Observations(ObjectNode end) {
    this(new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>(), end);
  }

  void check(String label, ObjectNode counters) {
    checks.computeIfAbsent(label, l -> new ArrayList<>()).add(counters);
  }
}
