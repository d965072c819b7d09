package io.cistern.conformance.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.MemorySize;
import io.cistern.MemoryUsage;
import io.cistern.conformance.Invariants;
import io.cistern.conformance.Json;
import io.cistern.conformance.LayoutJson;
import io.cistern.conformance.Ledger;
import io.cistern.conformance.Refusal;
import io.cistern.layout.PoolLayout;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.manager.MemoryReport;
import io.cistern.storage.CountingStorage;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.FailingStorage;
import io.cistern.storage.MemoryEvent;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageCall;
import java.util.ArrayList;
import java.util.List;

/**
 * Does a vector's steps on Cistern and answers in the words of the recording.
 *
 * <p>What must hold whatever was recorded is checked here, after each step.
 */
final class VectorMachine implements AutoCloseable {

  private final Vector vector;
  private final List<String> placements = new ArrayList<>();
  private CountingStorage driver;
  private FailingStorage storage;
  private MemoryManager manager;
  private Ledger ledger;
  private Windows windows;
  private int warnings;

  VectorMachine(Vector vector) {
    this.vector = vector;
  }

  /** Makes the manager; answers like {@code setup}. */
  ObjectNode setUp() {
    return answer(
        answer -> {
          DeviceProperties device = vector.device();
          PoolLayout layout =
              PoolLayout.resolve(LayoutJson.config(vector.layout(), device), device);
          driver = new CountingStorage(new SimulatedStorage(device));
          storage = new FailingStorage(driver);
          ledger = new Ledger(device.byteAlignment());
          manager =
              MemoryManager.builder(storage)
                  .pools(layout.config())
                  .persistent(vector.persistentMemory())
                  .name(vector.name())
                  .listener(this::hear)
                  .open();
          windows = new Windows(manager, ledger);
          assertThat(manager.layout()).isEqualTo(layout);
          answer.set("pools", LayoutJson.table(manager.layout()));
        });
  }

  private void hear(MemoryEvent event) {
    if (event instanceof MemoryEvent.Spilled spilled && spilled.first()) {
      warnings++;
    }
  }

  /** Does one step; answers with its {@code result} and outputs. */
  ObjectNode run(ObjectNode step) {
    ObjectNode answer = answer(outputs -> perform(step, outputs));
    if (manager != null) {
      Invariants.check(manager, driver, ledger);
    }
    return answer;
  }

  private interface Operation {
    void perform(ObjectNode outputs);
  }

  private static ObjectNode answer(Operation operation) {
    ObjectNode answer = Json.object();
    try {
      operation.perform(answer);
      answer.put("result", "ok");
    } catch (RuntimeException e) {
      answer.put("result", "error");
      answer.set("error", Refusal.of(e).toJson());
    }
    return answer;
  }

  private void perform(ObjectNode step, ObjectNode outputs) {
    String op = step.get("op").asText();
    switch (op) {
      case "reserve" -> reserve(step.get("id").asText(), step.get("size"), outputs);
      case "reserve_many" -> reserveMany(step, outputs);
      case "churn" -> churn(step, outputs);
      case "free" -> free(step.get("id").asText());
      case "free_many" -> freeMany(step);
      case "clone", "binding" -> share(step.get("id").asText(), step.get("new").asText());
      case "bind" -> share(step.get("reserved").asText(), step.get("assigned").asText());
      case "uninit", "cursor" -> {} // Cistern has neither.
      case "can_mut" ->
          outputs.put("can_mut", ledger.get(step.get("id").asText()).allocation().canMutate());
      case "locate" -> locate(step.get("id").asText(), outputs);
      case "resolve" -> resolve(step.get("id").asText(), outputs);
      case "mode" -> windows.mode(step.get("mode").asText());
      case "dryrun" -> outputs.put("depth", windows.dryRun(step.get("value").asText()));
      case "capture_begin" -> windows.beginCapture();
      case "priming_end" -> windows.endPriming();
      case "capture_end" -> outputs.set("pins", windows.endCapture(step.get("id").asText()));
      case "cleanup" -> manager.trim();
      case "cleanup_periodic" -> {} // What is due went at its request.
      case "driver_limit" -> limitDriver(step.get("bytes"));
      case "install" -> install(step.get("layout"), outputs);
      case "report" -> report(outputs);
      case "check" -> check(step, outputs);
      case "parse_size" ->
          outputs.put("bytes", MemorySize.parse(step.get("text").asText()).bytes());
      default -> throw new AssertionError("unknown operation " + op);
    }
  }

  private void reserve(String id, JsonNode size, ObjectNode outputs) {
    long byteSize = Json.number(size);
    MemoryUsage before = manager.usage();
    Allocation allocation;
    try {
      allocation = manager.allocate(byteSize);
    } catch (RuntimeException e) {
      assertRefusalChangedNothing(before, manager.usage(), e);
      placements.add(id + " refused");
      throw e;
    }
    Ledger.Held held =
        windows.inDryRun()
            ? ledger.enterUnmapped(id, allocation, byteSize)
            : ledger.enter(id, allocation, byteSize, 1);
    windows.noteServed(held);
    put(held, outputs);
    assertThat(manager.usage().padding().bytes() - before.padding().bytes())
        .as("padding counted for %s", id)
        .isEqualTo(outputs.get("padding").longValue());
    placements.add(
        id
            + " in pool "
            + allocation.pool()
            + (byteSize == 0 || windows.inDryRun()
                ? " at offset " + allocation.byteOffset()
                : " at " + allocation.address()));
  }

  private static void assertRefusalChangedNothing(
      MemoryUsage before, MemoryUsage after, RuntimeException e) {
    assertThat(after.allocations())
        .as("allocations after a refusal")
        .isEqualTo(before.allocations());
    assertThat(after.inUse()).as("in use after a refusal").isEqualTo(before.inUse());
    assertThat(after.padding()).as("padding after a refusal").isEqualTo(before.padding());
    if (e.getCause() == null) {
      assertThat(after).as("usage after a refusal").isEqualTo(before);
    } // else the driver refused, and what was free went back to it
  }

  private static void put(Ledger.Held held, ObjectNode outputs) {
    outputs.put("pool", held.pool()).put("bytes", held.size()).put("padding", held.padding());
  }

  private void reserveMany(ObjectNode step, ObjectNode outputs) {
    for (int i = 0; i < step.get("count").asInt(); i++) {
      ObjectNode last = Json.object();
      outputs.put("done", i);
      reserve(step.get("prefix").asText() + i, step.get("size"), last);
      outputs.put("done", i + 1).set("last", last);
    }
  }

  private void churn(ObjectNode step, ObjectNode outputs) {
    for (int i = 0; i < step.get("count").asInt(); i++) {
      outputs.put("done", i);
      reserve("churned", step.get("size"), Json.object());
      ledger.free("churned");
      outputs.put("done", i + 1);
    }
  }

  private void free(String id) {
    // Nothing to do where Cistern refused what the reference gave.
    if (ledger.holds(id)) {
      ledger.free(id);
    } else {
      windows.freePin(id);
    }
  }

  private void share(String id, String name) {
    Ledger.Held held = held(id);
    ledger.share(name, held.allocation().retain(), held.region());
  }

  private Ledger.Held held(String id) {
    if (!ledger.holds(id)) {
      throw new IllegalStateException("nothing of the name " + id);
    }
    return ledger.get(id);
  }

  private void resolve(String id, ObjectNode outputs) {
    Ledger.Held held = held(id);
    if (held.size() > 0) {
      held.allocation().block();
    }
    locate(id, outputs);
  }

  private void freeMany(ObjectNode step) {
    for (int i = 0; i < step.get("count").asInt(); i += step.get("step").asInt()) {
      free(step.get("prefix").asText() + i);
    }
  }

  private void locate(String id, ObjectNode outputs) {
    Ledger.Held held = held(id);
    put(held, outputs);
    assertThat(held.allocation().isAlive()).as("%s is alive", id).isTrue();
    assertThat(held.allocation().byteOffset()).as("offset of %s", id).isEqualTo(held.offset());
    assertThat(held.allocation().pool()).as("pool of %s", id).isEqualTo(held.pool());
  }

  private void limitDriver(JsonNode bytes) {
    if (bytes.isNull()) {
      storage.recover();
      return;
    }
    long limit = Json.number(bytes);
    storage.refuse(
        call ->
            call.kind() == StorageCall.Kind.ALLOCATE
                && call.byteSize() > limit - driver.allocated().bytes());
  }

  private void install(JsonNode layout, ObjectNode outputs) {
    manager.install(LayoutJson.config(layout, vector.device()));
    outputs.set("pools", LayoutJson.table(manager.layout()));
  }

  private void report(ObjectNode outputs) {
    MemoryReport report = manager.report();
    ArrayNode pools = outputs.putArray("dynamic");
    for (MemoryReport.PoolReport pool : report.pools()) {
      pools.add(figures(pool, LayoutJson.row(pool.config())));
    }
    outputs.set(
        "persistent", figures(report.persistent(), Json.object().put("kind", "persistent")));
  }

  private static ObjectNode figures(MemoryReport.PoolReport pool, ObjectNode entry) {
    entry.put("number_allocs", pool.usage().allocations());
    entry.put("bytes_in_use", pool.usage().inUse().bytes());
    entry.put("bytes_padding", pool.usage().padding().bytes());
    entry.put("pages_unmapped", pool.pagesUnmapped());
    entry.put("largest_alloc", pool.largestAlloc().bytes());
    return entry;
  }

  private void check(ObjectNode step, ObjectNode outputs) {
    DeviceProperties device = vector.device(step.get("alignment"), step.get("max_page_size"));
    PoolLayout layout = PoolLayout.resolve(LayoutJson.config(step.get("layout"), device), device);
    outputs.set("pools", LayoutJson.table(layout));
  }

  /** What each pool holds and has done. */
  List<MemoryReport.PoolReport> pools() {
    return manager.report().pools();
  }

  /** The layout's pools, and the persistent one. */
  List<MemoryReport.PoolReport> allPools() {
    return manager.report().allPools();
  }

  /** The driver's calls. */
  CountingStorage driver() {
    return driver;
  }

  /** All pools together. */
  MemoryUsage usage() {
    return manager.usage();
  }

  /** What is live. */
  Ledger ledger() {
    return ledger;
  }

  /** The first spills of pools so far, over all layouts. */
  int warnings() {
    return warnings;
  }

  /** Where each request went, in order: equal for equal runs. */
  List<String> placements() {
    return placements;
  }

  /** Frees what is live, closes the manager, and sees to it that the driver has everything back. */
  @Override
  public void close() {
    if (manager != null) {
      storage.recover();
      ledger.names().forEach(ledger::free);
      windows.close();
      Invariants.check(manager, driver, ledger);
      manager.close();
      assertThat(driver.allocated()).as("bytes out after the close").isEqualTo(MemorySize.ZERO);
      storage.close();
    }
  }
}
