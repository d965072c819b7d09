package io.cistern.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.MemorySize;
import io.cistern.conformance.Json;
import io.cistern.conformance.Ledger;
import io.cistern.layout.ResolvedPool;
import io.cistern.manager.MemoryReport.PoolReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Runs one vector and compares each step with the recording, as {@code BINDING.md} says.
 *
 * <p>A step's answer is compared field by field; the totals then; then each pool's pages and driver
 * calls: exactly for direct pools, as a bound for sliced ones, and against Cistern's own figures
 * where the recording does not bind.
 */
final class VectorCheck {

  /** What an answer must say as recorded. Places inside a pool are free. */
  private static final List<String> OUTPUTS =
      List.of("bytes", "padding", "pools", "done", "depth", "can_mut");

  private static final Set<String> SIZES =
      Set.of("kind", "page_size", "max_slice_size", "max_pool_size", "max_alloc_size");
  private static final Set<String> COUNTS =
      Set.of("number_allocs", "bytes_in_use", "bytes_padding", "pages_unmapped", "largest_alloc");

  private final Vector vector;
  private final VectorMachine machine;
  private final Rules rules;
  private final PoolFigures figures;
  private final List<String> faults = new ArrayList<>();
  private final List<Note> notes = new ArrayList<>();
  private Recording recording;
  private String at = "setup";

  // Whether a request was served otherwise than recorded, so that counts by pool differ.
  private boolean otherPool;
  private boolean otherResult;

  private VectorCheck(Vector vector, VectorMachine machine, Exceptions exceptions) {
    this.vector = vector;
    this.machine = machine;
    this.rules = new Rules(vector, exceptions, notes::add);
    this.figures = new PoolFigures(vector, exceptions, faults::add, notes::add);
  }

  /**
   * What came of a vector.
   *
   * @param faults what binds and is not met; empty: passed
   * @param notes what does not bind, with the reason
   * @param placements where each request went
   * @param ownFigures Cistern's own figures where the recording's do not bind; null: none
   */
  record Outcome(
      List<String> faults, List<Note> notes, List<String> placements, ObjectNode ownFigures) {}

  /** Runs a vector and compares. */
  static Outcome run(Vector vector, Exceptions exceptions) {
    VectorMachine machine = new VectorMachine(vector);
    VectorCheck check = new VectorCheck(vector, machine, exceptions);
    try (machine) {
      check.run();
    } catch (AssertionError | RuntimeException e) {
      check.faults.add(check.at + ": " + e);
    }
    return new Outcome(check.faults, check.notes, machine.placements(), check.figures.ownFigures());
  }

  private void run() {
    if (vector.hasManager() && !setUp()) {
      return;
    }
    for (int i = 0; i < vector.steps().size(); i++) {
      step(i, vector.steps().get(i));
    }
    figures.compareRun();
    at = "end";
  }

  /** Makes the manager; false if that is to be refused, which ends the vector. */
  private boolean setUp() {
    ObjectNode expected = rules.setup();
    ObjectNode actual = machine.setUp();
    compareAnswer("setup", expected, actual);
    if (!actual.get("result").asText().equals("ok")) {
      return false;
    }
    recording = new Recording(poolsInForce());
    return true;
  }

  private List<ResolvedPool> poolsInForce() {
    return machine.pools().stream().map(PoolReport::config).toList();
  }

  private void step(int index, ObjectNode recorded) {
    String name = "step " + index + " " + inShort(recorded);
    at = name;
    ObjectNode expected = rules.expected(index, recorded);
    ObjectNode actual = machine.run(recorded);
    compareAnswer(name, expected, actual);
    otherResult |= !actual.get("result").equals(recorded.get("result"));
    if (recording != null) {
      recording.read(recorded, expected, poolsInForce());
      compareTotals(name);
      if (vector.hasDryRun()) {
        compareState(name, expected.path("state"));
      } else {
        figures.compare(index, name, machine.allPools(), recording);
      }
      if (recorded.get("op").asText().equals("report")) {
        compareReport(name, recorded, expected, actual);
        if (!vector.hasDryRun()) {
          figures.comparePages(name, machine.allPools(), recording);
        }
      }
    }
  }

  private static String inShort(ObjectNode step) {
    StringBuilder text = new StringBuilder(step.get("op").asText());
    for (String operand : List.of("id", "prefix", "count", "size", "text")) {
      if (step.has(operand)) {
        text.append(' ').append(step.get(operand).asText());
      }
    }
    return text.toString();
  }

  private void compareAnswer(String name, ObjectNode expected, ObjectNode actual) {
    String result = expected.get("result").asText();
    if (result.equals(Rules.ANY) || driverWasKinder(expected, actual)) {
      return;
    }
    if (!result.equals(actual.get("result").asText())) {
      faults.add(name + ": recorded " + answer(expected) + ", Cistern " + actual);
    } else if (result.equals("error")) {
      same(name + ", error", expected.path("error"), actual.get("error"));
    } else if (!expected.path("op").asText().equals("driver_limit")) { // its bytes are an operand
      comparePool(name, expected, actual);
      if (expected.has("pins")) {
        same(name + ", pins", pinnedSizes(expected), pinnedSizes(actual));
      }
      for (String output : OUTPUTS) {
        if (expected.has(output)) {
          same(name + ", " + output, expected.get(output), actual.path(output));
        }
      }
    }
  }

  private static JsonNode pinnedSizes(ObjectNode answer) {
    ArrayNode sizes = Json.object().putArray("sizes");
    answer
        .path("pins")
        .valueStream()
        .mapToLong(pin -> pin.get("bytes").longValue())
        .sorted()
        .forEach(sizes::add);
    return sizes;
  }

  /**
   * The driver's figures where pages are made without it: all pools together, as they were
   * recorded.
   */
  private void compareState(String name, JsonNode state) {
    same(name + ", reserved", state.path("bytes_reserved"), number(machine.usage().reserved()));
    same(
        name + ", driver allocations",
        state.path("driver_allocs"),
        number(machine.driver().allocations()));
    same(name + ", driver frees", state.path("driver_deallocs"), number(machine.driver().frees()));
    same(name + ", driver bytes", state.path("driver_bytes"), number(machine.driver().allocated()));
  }

  private static JsonNode number(MemorySize size) {
    return number(size.bytes());
  }

  private static JsonNode number(long value) {
    return LongNode.valueOf(value);
  }

  private static String answer(ObjectNode expected) {
    ObjectNode answer = expected.deepCopy();
    answer.remove(List.of("state", "driver", "layout"));
    return answer.toString();
  }

  /** After a driver's refusal Cistern gives back what is free and tries again. */
  private boolean driverWasKinder(ObjectNode expected, ObjectNode actual) {
    boolean refusedByDriver =
        expected.get("result").asText().equals("error")
            && expected.path("driver").valueStream().anyMatch(Recording::isFailure);
    boolean served = actual.get("result").asText().equals("ok");
    if (refusedByDriver && served) {
      notes.add(new Note(at, "what the driver refused is served after a cleanup"));
    }
    return refusedByDriver && served;
  }

  /** A better fit spills less: the pool may be an earlier one that is capped. */
  private void comparePool(String name, ObjectNode expected, ObjectNode actual) {
    if (!expected.has("pool")) {
      return;
    }
    int recorded = expected.get("pool").asInt();
    int served = actual.path("pool").asInt(Integer.MIN_VALUE);
    boolean earlier =
        served >= 0 && served < recorded && machine.pools().get(served).config().isCapped();
    if (served != recorded && !earlier) {
      faults.add(name + ", pool: recorded " + recorded + ", Cistern " + served);
    }
    otherPool |= served != recorded;
  }

  private void same(String what, JsonNode expected, JsonNode actual) {
    if (expected.isMissingNode() || Json.covers(expected, actual)) {
      return;
    }
    faults.add(what + ": recorded " + expected + ", Cistern " + actual);
  }

  private void compareTotals(String name) {
    Ledger.Sum expected = recording.expectedTotals(machine.ledger());
    Ledger.Sum actual =
        new Ledger.Sum(
            machine.usage().allocations(),
            machine.usage().inUse().bytes(),
            machine.usage().padding().bytes());
    if (!expected.equals(actual)) {
      faults.add(name + ", totals: recorded " + expected + ", Cistern " + actual);
    }
    boolean spillsDiffer =
        otherPool
            ? machine.warnings() > recording.spills()
            : machine.warnings() != recording.spills();
    if (spillsDiffer) {
      faults.add(
          name + ", warnings: recorded " + recording.spills() + ", Cistern " + machine.warnings());
    }
  }

  private void compareReport(
      String name, ObjectNode recorded, ObjectNode expected, ObjectNode actual) {
    JsonNode pools = expected.get("dynamic");
    if (pools.size() != actual.get("dynamic").size()) {
      faults.add(name + ": recorded " + pools + ", Cistern " + actual.get("dynamic"));
      return;
    }
    boolean countsBind = !expected.equals(recorded) || !(otherPool || otherResult);
    if (countsBind) {
      for (String count : COUNTS) {
        JsonNode value = actual.at("/persistent/" + count);
        same(name + ", persistent " + count, expected.at("/persistent/" + count), value);
      }
    }
    for (int i = 0; i < pools.size(); i++) {
      for (var field : pools.get(i).properties()) {
        if (SIZES.contains(field.getKey()) || (countsBind && COUNTS.contains(field.getKey()))) {
          JsonNode value = actual.get("dynamic").get(i).path(field.getKey());
          same(name + ", pool " + i + " " + field.getKey(), field.getValue(), value);
        }
      }
    }
  }
}
