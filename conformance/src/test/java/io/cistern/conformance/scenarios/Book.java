package io.cistern.conformance.scenarios;

import io.cistern.conformance.Ledger;
import io.cistern.manager.Allocation;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The handles of a scenario by their ids, and which regions they, captures and work keep.
 *
 * <p>Ids stay known after their close, since scenarios close and use handles again. Safe for many
 * threads; a region leaves the ledger before its handle is closed, because from the close on it may
 * have another owner.
 */
final class Book {

  private final Map<String, Ledger.Held> handles = new HashMap<>();

  // Guarded by this; read by the thread of the scenario when no other is at work.
  private final Ledger ledger;

  // Regions that a capture is to pin, and those that its priming keeps; null while none captures.
  private @Nullable Set<Ledger.Region> captured;
  private final Set<Ledger.Region> primed = new LinkedHashSet<>();
  private boolean priming;

  Book(long alignment) {
    this.ledger = new Ledger(alignment);
  }

  Ledger ledger() {
    return ledger;
  }

  /**
   * Enters what a request was served with.
   *
   * @param mapped whether it may be asked for its place, which would map a page of a dry run
   */
  synchronized Ledger.Held enter(
      String id, Allocation allocation, long size, long alignment, boolean mapped) {
    Ledger.Held held =
        mapped
            ? ledger.enter(id, allocation, size, alignment)
            : ledger.enterUnmapped(id, allocation, size);
    handles.put(id, held);
    if (captured != null && size > 0) {
      capture(captured, held.region());
    }
    return held;
  }

  /** A slice that is handed out a second time is pinned once. */
  private void capture(Set<Ledger.Region> all, Ledger.Region region) {
    all.removeIf(region::overlaps);
    all.add(region);
    if (priming) {
      primed.add(region);
      ledger.keep(region);
    }
  }

  /** Enters a second handle to the region of a first. */
  synchronized void enterCopy(String id, String of, Allocation allocation) {
    ledger.share(id, allocation, handle(of).region());
    handles.put(id, ledger.get(id));
  }

  /** Whether the handle of that id is open, as far as the test knows. */
  synchronized boolean isOpen(String id) {
    return ledger.holds(id);
  }

  /** The handle of that id, open or not. */
  synchronized Ledger.Held handle(String id) {
    return handles.get(id);
  }

  /** The ids whose handles are open, oldest first; a copy. */
  synchronized List<String> open() {
    return ledger.names();
  }

  /** Notes that a handle is about to be closed; nothing if it is closed already. */
  synchronized void leave(String id) {
    if (ledger.holds(id)) {
      ledger.leave(id);
    }
  }

  /** Notes that work uses a region. */
  synchronized void use(Ledger.Region region) {
    ledger.use(region);
  }

  /** Notes that work is done with a region. */
  synchronized void done(Ledger.Region region) {
    ledger.done(region);
  }

  synchronized void beginCapture() {
    if (captured == null) {
      captured = new LinkedHashSet<>();
      priming = true;
    }
  }

  synchronized void endPriming() {
    priming = false;
    primed.forEach(ledger::letGo);
    primed.clear();
  }

  /** Ends a capture; returns the regions that are pinned now. */
  synchronized List<Ledger.Region> endCapture() {
    List<Ledger.Region> pinned = captured == null ? List.of() : List.copyOf(captured);
    pinned.forEach(ledger::keep);
    endPriming();
    captured = null;
    return pinned;
  }

  /** Lets go of regions that were pinned. */
  synchronized void unpin(List<Ledger.Region> pinned) {
    pinned.forEach(ledger::letGo);
  }
}
