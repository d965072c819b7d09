package io.cistern.conformance.scenarios;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Does a scenario's operations on Cistern and notes what they show. */
final class ScenarioMachine implements AutoCloseable {

  private final Options options;
  private final Hooks hooks = new Hooks();
  private final Threads threads = new Threads();

  // The one at work is the last; what is live on earlier ones stays there.
  private JsonNode layout;
  private final List<Site> sites = new ArrayList<>();
  private final Map<String, Site> siteOf = new ConcurrentHashMap<>();

  ScenarioMachine(JsonNode layout, Options options) {
    this.options = options;
    use(layout);
  }

  /** Does all operations. */
  Observations run(JsonNode ops) {
    Observations seen = new Observations();
    Steps steps = new Steps(this, seen);
    steps.perform(ops);
    ObjectNode end = site().counters();
    end.put("warnings_logged", site().heard().warnings());
    end.put("spilled_steps", steps.spilledSteps());
    seen.end(end);
    return seen;
  }

  /** Goes on with a fresh manager on a fresh back end. */
  void use(JsonNode layout) {
    this.layout = layout;
    sites.add(new Site(layout, options, hooks));
  }

  /** The layout that is at work. */
  JsonNode layout() {
    return layout;
  }

  /** What is at work. */
  Site site() {
    return sites.getLast();
  }

  /** Notes where a handle was made. */
  void enter(String id, Site site) {
    siteOf.put(id, site);
  }

  /** Where a handle was made; null if none was, because the request was refused. */
  @Nullable Site siteOf(String id) {
    return siteOf.get(id);
  }

  /** Ends work, wherever it was launched; what it read. */
  ObjectNode complete(String token) {
    return sites.stream()
        .map(Site::work)
        .filter(work -> work.knows(token))
        .findFirst()
        .orElseThrow(() -> new AssertionError("nobody launched " + token))
        .complete(token);
  }

  Hooks hooks() {
    return hooks;
  }

  Threads threads() {
    return threads;
  }

  /** Checks what holds after any step. */
  void check() {
    sites.forEach(Site::check);
  }

  @Override
  public void close() {
    threads.close();
    sites.reversed().forEach(Site::close);
  }
}
