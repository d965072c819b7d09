package io.cistern.conformance.vectors;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.conformance.Json;
import io.cistern.conformance.Ledger;
import io.cistern.manager.Capture;
import io.cistern.manager.CapturePin;
import io.cistern.manager.DryRun;
import io.cistern.manager.MemoryManager;
import io.cistern.manager.PersistentWindow;
import io.cistern.storage.StorageBlock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The windows, dry runs and captures that a vector has open, and whom they keep live. */
final class Windows implements AutoCloseable {

  private record Pinned(CapturePin pin, List<Ledger.Region> regions) {}

  private final MemoryManager manager;
  private final Ledger ledger;
  private final Deque<PersistentWindow> windows = new ArrayDeque<>();
  private final Deque<DryRun> dryRuns = new ArrayDeque<>();
  private final Map<String, Pinned> pins = new HashMap<>();
  private Capture capture;

  // What the capture was served, the last region of each block; and what its priming keeps.
  private final Map<StorageBlock, Ledger.Region> touched = new LinkedHashMap<>();
  private final List<Ledger.Region> primed = new ArrayList<>();
  private boolean priming;

  Windows(MemoryManager manager, Ledger ledger) {
    this.manager = manager;
    this.ledger = ledger;
  }

  /** Opens a persistent window, or closes one; one too many does nothing. */
  void mode(String mode) {
    if (mode.equals("persistent")) {
      windows.push(manager.openPersistentWindow());
    } else if (!windows.isEmpty()) {
      windows.pop().close();
    }
  }

  /** Opens a dry run, or closes the last; returns how many are open. */
  int dryRun(String value) {
    if (value.equals("on")) {
      dryRuns.push(manager.openDryRun());
    } else {
      dryRuns.pop().close();
    }
    return dryRuns.size();
  }

  boolean inDryRun() {
    return !dryRuns.isEmpty();
  }

  void beginCapture() {
    boolean underWay = capture != null;
    capture = manager.beginCapture();
    priming |= !underWay;
  }

  /** Notes what a capture is served. */
  void noteServed(Ledger.Held held) {
    if (capture == null || held.size() == 0) {
      return;
    }
    touched.put(held.allocation().block(), held.region());
    if (priming) {
      ledger.keep(held.region());
      primed.add(held.region());
    }
  }

  void endPriming() {
    capture.endPriming();
    letGoOfPrimed();
  }

  private void letGoOfPrimed() {
    priming = false;
    primed.forEach(ledger::letGo);
    primed.clear();
  }

  /** Ends the capture; answers with the sizes that are pinned. A second time pins nothing. */
  ArrayNode endCapture(String id) {
    CapturePin pin = capture == null ? null : capture.end();
    List<Ledger.Region> regions = new ArrayList<>(touched.values());
    regions.forEach(ledger::keep);
    letGoOfPrimed();
    touched.clear();
    capture = null;
    ArrayNode sizes = Json.object().putArray("pins");
    if (pin != null) {
      pins.put(id, new Pinned(pin, regions));
      pin.sizes().stream().sorted().forEach(size -> sizes.add(pinOf(size.bytes())));
    }
    return sizes;
  }

  private static ObjectNode pinOf(long byteSize) {
    return Json.object().put("bytes", byteSize);
  }

  /** Lets go of a pin; does nothing if there is none of that name. */
  void freePin(String id) {
    Pinned pinned = pins.remove(id);
    if (pinned != null) {
      pinned.pin.close();
      pinned.pin.close(); // Harmless, so it is done each time.
      pinned.regions.forEach(ledger::letGo);
    }
  }

  @Override
  public void close() {
    if (capture != null) {
      endCapture("the end");
    }
    List.copyOf(pins.keySet()).forEach(this::freePin);
    while (!dryRuns.isEmpty()) {
      dryRuns.pop().close();
    }
    while (!windows.isEmpty()) {
      windows.pop().close();
    }
  }
}
