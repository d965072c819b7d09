package io.cistern.conformance.scenarios;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.conformance.Json;
import io.cistern.conformance.LayoutJson;
import io.cistern.conformance.Refusal;
import io.cistern.manager.MemoryManager;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One thread's way through a list of operations: reads them, does them, notes what they show. */
final class Steps {

  private final ScenarioMachine machine;
  private final Observations seen;
  private final Map<String, Long> variables = new HashMap<>();

  // Of a parallel block; null for the thread of the scenario, which has the machine to itself
  // between such blocks.
  private final @Nullable String sideThread;
  private int spilledSteps;

  Steps(ScenarioMachine machine, Observations seen) {
    this.machine = machine;
    this.seen = seen;
    this.sideThread = null;
  }

  private Steps(Steps parent, String thread) {
    this.machine = parent.machine;
    this.seen = parent.seen;
    this.variables.putAll(parent.variables);
    this.sideThread = thread;
  }

  /** How many rounds of the outermost loops spilled. */
  int spilledSteps() {
    return spilledSteps;
  }

  void perform(JsonNode ops) {
    ops.forEach(this::performOne);
  }

  private void performOne(JsonNode op) {
    if (sideThread != null) {
      if (op.has("pause_at")) {
        machine.hooks().stoppingAt(sideThread, text(op, "pause_at"), () -> does(op));
      } else {
        does(op);
      }
      machine.site().sample();
    } else {
      if (op.has("thread") && !op.get("op").asText().equals("thread_exit")) {
        machine.threads().on(text(op, "thread"), () -> does(op));
      } else {
        does(op);
      }
      if (!op.get("op").asText().equals("for")) {
        machine.check();
      }
    }
  }

  private void does(JsonNode op) {
    Site site = machine.site();
    switch (op.get("op").asText()) {
      case "alloc" -> allocate(op);
      case "free" -> noteIfNamed(op, () -> free(text(op, "id")));
      case "dup" -> copy(text(op, "id"), text(op, "copy"));
      case "write" -> noteIfNamed(op, () -> write(text(op, "id"), (byte) number(op, "pattern")));
      case "verify" -> noteIfNamed(op, () -> verify(text(op, "id"), (byte) number(op, "pattern")));
      case "for" -> loop(op);
      case "parallel" -> parallel(op);
      case "await" -> machine.hooks().await(text(op, "point"));
      case "release" -> machine.hooks().release(text(op, "point"));
      case "cleanup" -> cleanUp(op.get("explicit").asBoolean());
      case "launch" ->
          site.work()
              .launch(
                  text(op, "token"),
                  stream(op),
                  op.path("uses").valueStream().map(id -> fill(id.asText())).toList(),
                  op.path("reads"),
                  site.book());
      case "complete" -> note(ref(op, "token"), "", () -> machine.complete(text(op, "token")));
      case "sync" -> site.work().sync(stream(op));
      case "stream_open" -> site.streams().begin(stream(op));
      case "stream_close" -> site.streams().end(stream(op));
      case "thread_exit" -> machine.threads().end(text(op, "thread"));
      case "persistent_begin" -> site.windows().beginPersistent(manager(op));
      case "persistent_end" -> site.windows().endPersistent();
      case "capture_begin" -> site.windows().beginCapture(manager(op));
      case "capture_priming_end" -> site.windows().endPriming();
      case "capture_end" -> site.windows().endCapture(text(op, "graph"));
      case "capture_abort" -> site.windows().abortCapture();
      case "replay_graph" -> site.windows().replay(text(op, "graph"));
      case "graph_destroy" -> site.windows().destroy(text(op, "graph"));
      case "fault" -> fault(op);
      case "fault_clear" -> site.device().recover();
      case "use_layout" -> machine.use(op.get("layout"));
      case "close" -> note(ref(op, "op"), "", site::end);
      case "free_foreign" -> seen.result(text(op, "ref"), Foreign.free(text(op, "what")));
      case "check" -> check(text(op, "label"));
      case "install_layout" -> note(text(op, "ref"), "", () -> install(op.get("layout")));
      case "parse_size" -> parseSize(Configuration.sizeText(op), text(op, "ref"));
      case "parse_layout" -> note(text(op, "ref"), "", () -> parseLayout(op));
      case "replay" -> seen.result(ref(op, "format"), FedTrace.feed(op, machine.layout()));
      case "note" -> {}
      default -> throw new AssertionError("unknown operation: " + op);
    }
  }

  private String fill(String text) {
    return Formula.fill(text, variables);
  }

  private String text(JsonNode op, String key) {
    return fill(op.get(key).asText());
  }

  private long number(JsonNode op, String key) {
    return Formula.number(op.get(key), variables);
  }

  private String stream(JsonNode op) {
    return op.has("stream") ? text(op, "stream") : "0";
  }

  private String ref(JsonNode op, String otherwise) {
    return text(op, op.has("ref") ? "ref" : otherwise);
  }

  private MemoryManager manager(JsonNode op) {
    return machine.site().streams().of(stream(op));
  }

  private interface Attempt {
    ObjectNode facts();
  }

  private void note(String ref, String given, Attempt attempt) {
    Result result;
    try {
      result = Result.ok(attempt.facts(), given);
    } catch (ClosedHandleException e) {
      result = new Result(Json.object(), Refusal.ofClosedHandle(e.refusal()), given);
    } catch (RuntimeException e) {
      result = Result.refused(e, given);
    }
    seen.result(ref, result);
  }

  /** What a scenario gives no name must not be refused. */
  private void noteIfNamed(JsonNode op, Runnable work) {
    if (op.has("ref")) {
      note(
          text(op, "ref"),
          "",
          () -> {
            work.run();
            return Json.object();
          });
    } else {
      work.run();
    }
  }

  private void allocate(JsonNode op) {
    Site.Request request =
        new Site.Request(
            text(op, "id"),
            number(op, "size"),
            op.has("align") ? number(op, "align") : 1,
            op.has("label") ? text(op, "label") : null,
            stream(op));
    note(ref(op, "id"), "", () -> allocate(request));
  }

  private ObjectNode allocate(Site.Request request) {
    Site site = machine.site();
    ObjectNode facts = site.allocate(request, sideThread == null);
    machine.enter(request.id(), site);
    seen.place(request.id(), site.book().handle(request.id()));
    return facts;
  }

  /** Does nothing where the allocation was refused, here and below. */
  private void free(String id) {
    Site site = machine.siteOf(id);
    if (site != null) {
      site.free(id);
    }
  }

  private void copy(String id, String copy) {
    Site site = machine.siteOf(id);
    if (site != null) {
      site.copy(id, copy);
      machine.enter(copy, site);
    }
  }

  private void write(String id, byte pattern) {
    Site site = machine.siteOf(id);
    if (site != null) {
      site.segment(id).fill(pattern);
    }
  }

  private void verify(String id, byte pattern) {
    Site site = machine.siteOf(id);
    if (site != null) {
      Patterns.verify(id, site.segment(id), pattern);
    }
  }

  private void loop(JsonNode op) {
    boolean step = variables.isEmpty() && sideThread == null;
    String variable = op.get("var").asText();
    long to = number(op, "to");
    for (long i = number(op, "from"); i <= to; i++) {
      long spillsBefore = step ? machine.site().spills() : 0;
      variables.put(variable, i);
      perform(op.get("body"));
      if (step && machine.site().spills() > spillsBefore) {
        spilledSteps++;
      }
    }
    variables.remove(variable);
  }

  private void parallel(JsonNode op) {
    if (op.has("layout")) {
      machine.use(op.get("layout"));
    }
    seen.runFreely();
    Map<String, Runnable> bodies = new HashMap<>();
    for (var thread : op.get("threads").properties()) {
      Steps steps = new Steps(this, thread.getKey());
      bodies.put(thread.getKey(), () -> steps.perform(thread.getValue()));
    }
    machine.threads().together(bodies);
  }

  private void cleanUp(boolean explicit) {
    if (explicit) {
      machine.site().streams().trim();
    } // else nothing to do: what is due went at its request
  }

  private void fault(JsonNode op) {
    if (!op.get("point").asText().equals("storage.alloc")
        || !op.get("mode").asText().equals("fail_all")) {
      throw new AssertionError("unknown fault: " + op);
    }
    machine.site().device().refuse();
  }

  private void check(String label) {
    machine.site().checkPages();
    seen.check(label, machine.site().counters());
  }

  private ObjectNode install(JsonNode layout) {
    JsonNode pools = layout.has("pools") ? layout.get("pools") : layout;
    return Configuration.facts(machine.site().streams().install(LayoutJson.config(pools)));
  }

  private void parseSize(String text, String ref) {
    note(ref, text, () -> Configuration.parseSize(text));
  }

  private ObjectNode parseLayout(JsonNode op) {
    return Configuration.parseLayout(
        op, text(op, "ref"), machine.site().device().storage().properties());
  }
}
