package io.cistern.conformance.scenarios;

import io.cistern.conformance.Ledger;
import io.cistern.manager.Capture;
import io.cistern.manager.CapturePin;
import io.cistern.manager.DryRun;
import io.cistern.manager.MemoryManager;
import io.cistern.manager.PersistentWindow;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The dry run, persistent windows, captures and captured graphs of a scenario. */
final class Windows implements AutoCloseable {

  private final Book book;
  private final Deque<PersistentWindow> persistent = new ArrayDeque<>();
  private final Map<String, Graph> graphs = new HashMap<>();
  private @Nullable Capture capture;
  private @Nullable DryRun dryRun;

  /** A graph: what Cistern keeps for it, and what the test knows of that. */
  private record Graph(CapturePin pin, List<Ledger.Region> regions) {}

  Windows(Book book) {
    this.book = book;
  }

  /** Begins a dry run that ends with the scenario. */
  void beginDryRun(MemoryManager manager) {
    dryRun = manager.openDryRun();
  }

  void beginPersistent(MemoryManager manager) {
    persistent.push(manager.openPersistentWindow());
  }

  void endPersistent() {
    persistent.pop().close();
  }

  void beginCapture(MemoryManager manager) {
    book.beginCapture();
    capture = manager.beginCapture();
  }

  void endPriming() {
    book.endPriming();
    underWay().endPriming();
  }

  void endCapture(String graph) {
    CapturePin pin = underWay().end();
    graphs.put(graph, new Graph(pin, book.endCapture()));
  }

  void abortCapture() {
    underWay().close();
    book.unpin(book.endCapture());
  }

  private Capture underWay() {
    return Objects.requireNonNull(capture, "no capture was begun");
  }

  /** The graph's memory is nobody else's, which the ledger checks all the time. */
  void replay(String graph) {
    Objects.requireNonNull(graphs.get(graph), graph);
  }

  void destroy(String graph) {
    Graph gone = graphs.remove(graph);
    gone.pin.close();
    book.unpin(gone.regions);
  }

  @Override
  public void close() {
    if (capture != null) {
      abortCapture();
    }
    List.copyOf(graphs.keySet()).forEach(this::destroy);
    while (!persistent.isEmpty()) {
      endPersistent();
    }
    if (dryRun != null) {
      dryRun.close();
    }
  }
}
