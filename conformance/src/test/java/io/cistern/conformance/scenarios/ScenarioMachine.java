package io.cistern.conformance.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.MemorySize;
import io.cistern.MemoryUsage;
import io.cistern.PoolCapacityException;
import io.cistern.conformance.Invariants;
import io.cistern.conformance.Json;
import io.cistern.conformance.LayoutJson;
import io.cistern.conformance.Ledger;
import io.cistern.layout.PoolLayout;
import io.cistern.layout.ResolvedPool;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.manager.MemoryReport;
import io.cistern.storage.MemoryEvent;
import io.cistern.toml.LayoutFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;

/** Does a scenario's operations on Cistern and notes what they show. */
final class ScenarioMachine implements AutoCloseable {

  private final BackEnd device;
  private final MemoryManager manager;
  private final Ledger ledger;
  private final Observations seen = new Observations(Json.object());
  private final Map<String, Long> variables = new HashMap<>();
  private int warnings;
  private int spilledSteps;

  ScenarioMachine(JsonNode backend, JsonNode pools) {
    this.device = BackEnd.open(backend);
    this.ledger = new Ledger(device.storage().properties().byteAlignment());
    this.manager =
        MemoryManager.builder(device.storage())
            .pools(LayoutJson.config(pools))
            .listener(this::hear)
            .open();
  }

  private void hear(MemoryEvent event) {
    if (event instanceof MemoryEvent.Spilled spilled && spilled.first()) {
      warnings++;
    }
  }

  /** Does all operations. */
  Observations run(JsonNode ops) {
    ops.forEach(this::perform);
    seen.end().setAll(counters());
    seen.end().put("warnings_logged", warnings).put("spilled_steps", spilledSteps);
    return seen;
  }

  private void perform(JsonNode op) {
    switch (op.get("op").asText()) {
      case "alloc" -> allocate(op);
      case "free" -> free(text(op, "id"));
      case "write" -> write(text(op, "id"), (byte) number(op, "pattern"));
      case "verify" -> verify(text(op, "id"), (byte) number(op, "pattern"));
      case "for" -> loop(op);
      case "cleanup" -> cleanUp(op.get("explicit").asBoolean());
      case "fault" -> fault(op);
      case "fault_clear" -> device.recover();
      case "check" -> seen.check(text(op, "label"), counters());
      case "install_layout" -> note(text(op, "ref"), "", () -> install(op.get("layout")));
      case "parse_size" -> parseSize(op);
      case "parse_layout" -> note(text(op, "ref"), "", () -> parseLayout(op));
      case "note" -> {}
      default -> throw new AssertionError("unknown operation: " + op);
    }
    if (!op.get("op").asText().equals("for")) {
      Invariants.check(manager, device.counted(), ledger);
    }
  }

  private String text(JsonNode op, String key) {
    return Formula.fill(op.get(key).asText(), variables);
  }

  private long number(JsonNode op, String key) {
    return Formula.number(op.get(key), variables);
  }

  private interface Attempt {
    ObjectNode facts();
  }

  private void note(String ref, String given, Attempt attempt) {
    Result result;
    try {
      result = Result.ok(attempt.facts(), given);
    } catch (RuntimeException e) {
      result = Result.refused(e, given);
    }
    seen.results().put(ref, result);
  }

  private void allocate(JsonNode op) {
    String id = text(op, "id");
    long byteSize = number(op, "size");
    long alignment = op.has("align") ? number(op, "align") : 1;
    String ref = op.has("ref") ? text(op, "ref") : id;
    note(ref, "", () -> allocate(id, byteSize, alignment));
  }

  private ObjectNode allocate(String id, long byteSize, long alignment) {
    MemoryUsage before = manager.usage();
    Allocation allocation;
    try {
      allocation = manager.allocate(byteSize, alignment);
    } catch (RuntimeException e) {
      assertRefusalChangedNothing(before, e);
      throw e;
    }
    Ledger.Held held = ledger.enter(id, allocation, byteSize, alignment);
    seen.offsets().put(id, held.offset());
    MemoryUsage after = manager.usage();
    long takes =
        after.inUse().bytes()
            + after.padding().bytes()
            - before.inUse().bytes()
            - before.padding().bytes();
    return Json.object().put("offset", held.offset()).put("takes", takes);
  }

  private void assertRefusalChangedNothing(MemoryUsage before, RuntimeException e) {
    MemoryUsage after = manager.usage();
    assertThat(after.allocations()).as("allocations").isEqualTo(before.allocations());
    assertThat(after.inUse()).as("in use").isEqualTo(before.inUse());
    assertThat(after.padding()).as("padding").isEqualTo(before.padding());
    if (e.getCause() == null) {
      assertThat(after).as("usage after a refusal").isEqualTo(before);
    } // else the device refused, and what was idle went back to it
    if (e instanceof PoolCapacityException full) {
      MemoryReport.PoolReport pool = manager.report().pools().get(full.pool());
      assertThat(full.largestFree()).as("largest free").isEqualTo(pool.largestFree().bytes());
      assertThat(full.free()).as("free").isEqualTo(pool.free().bytes());
    }
  }

  /** Does nothing where the allocation was refused. */
  private void free(String id) {
    if (ledger.holds(id)) {
      ledger.free(id);
    }
  }

  private void write(String id, byte pattern) {
    if (ledger.holds(id)) {
      ledger.get(id).allocation().segment().fill(pattern);
    }
  }

  private void verify(String id, byte pattern) {
    if (ledger.holds(id)) {
      MemorySegment segment = ledger.get(id).allocation().segment();
      for (long i = 0; i < segment.byteSize(); i++) {
        if (segment.get(ValueLayout.JAVA_BYTE, i) != pattern) {
          throw new AssertionError(id + " has lost its pattern at byte " + i);
        }
      }
    }
  }

  private void loop(JsonNode op) {
    boolean outermost = variables.isEmpty();
    String variable = op.get("var").asText();
    long to = number(op, "to");
    for (long i = number(op, "from"); i <= to; i++) {
      long spillsBefore = outermost ? spills() : 0;
      variables.put(variable, i);
      op.get("body").forEach(this::perform);
      if (outermost && spills() > spillsBefore) {
        spilledSteps++;
      }
    }
    variables.remove(variable);
  }

  private void cleanUp(boolean explicit) {
    if (explicit) {
      manager.trim();
    } // else nothing to do: what is due went at its request
  }

  private void fault(JsonNode op) {
    if (!op.get("point").asText().equals("storage.alloc")
        || !op.get("mode").asText().equals("fail_all")) {
      throw new AssertionError("unknown fault: " + op);
    }
    device.refuse();
  }

  private ObjectNode install(JsonNode layout) {
    manager.install(LayoutJson.config(layout.has("pools") ? layout.get("pools") : layout));
    return facts(manager.layout());
  }

  private void parseSize(JsonNode op) {
    JsonNode repeat = op.path("text_repeat");
    String text =
        op.has("text")
            ? op.get("text").asText()
            : repeat.get(0).asText().repeat(repeat.get(1).asInt());
    note(text(op, "ref"), text, () -> Json.object().put("value", MemorySize.parse(text).bytes()));
  }

  /** Read as a file is, then worked out for the device; not installed. */
  private ObjectNode parseLayout(JsonNode op) {
    String name = text(op, "ref");
    LayoutFile file =
        op.has("json")
            ? LayoutFile.parseJson(op.get("json").toString(), name)
            : LayoutFile.parse(op.get("text").asText(), name);
    return facts(PoolLayout.resolve(file.pools(), device.storage().properties()));
  }

  /** What a layout makes of its last entry, in the scenarios' words. */
  static ObjectNode facts(PoolLayout layout) {
    ObjectNode facts = Json.object();
    if (layout.pools().getLast() instanceof ResolvedPool.Sliced sliced) {
      facts.put("page_size_used", sliced.pageByteSize());
      sliced.maxPages().ifPresent(pages -> facts.put("max_pages", pages));
      sliced
          .maxPoolByteSize()
          .ifPresent(
              cap ->
                  facts
                      .put("cap_used", cap)
                      .put("never_reserved_above", cap)
                      .put("max_pool_size_effective", cap));
    }
    return facts;
  }

  private long spills() {
    return manager.report().pools().stream().mapToLong(MemoryReport.PoolReport::spills).sum();
  }

  private ObjectNode counters() {
    return Counters.of(manager.report(), device.counted());
  }

  @Override
  public void close() {
    device.recover();
    ledger.names().forEach(ledger::free);
    Invariants.check(manager, device.counted(), ledger);
    manager.close();
    assertThat(device.counted().allocated())
        .as("bytes out after the close")
        .isEqualTo(MemorySize.ZERO);
    device.close();
  }
}
