package io.cistern.conformance.vectors;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.conformance.Json;
import io.cistern.layout.ResolvedPool;
import io.cistern.manager.MemoryReport.PoolReport;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Compares what each pool holds and the driver calls made for it, as far as they bind. */
final class PoolFigures {

  private enum Binding {
    /** As recorded. */
    EXACT,
    /** At most what was recorded, at each step. */
    AT_MOST,
    /** At most what was recorded, over the whole run and with a page more. */
    RUN_PEAK,
    /** Cistern's own: as listed, where they are listed. */
    OWN
  }

  private final Vector vector;
  private final Optional<Exceptions.OwnFigures> listed;
  private final int pagesMore;
  private final Consumer<String> faults;
  private final Consumer<Note> notes;

  private final ObjectNode own = Json.object();
  private String lastOwn = "0 0 0";
  private boolean unlistedNoted;
  private boolean listedMissed;

  // Of sliced pools in a random stream, in bytes.
  private long peak;
  private long recordedPeak;
  private long largestPage;

  PoolFigures(Vector vector, Exceptions exceptions, Consumer<String> faults, Consumer<Note> notes) {
    this.vector = vector;
    this.listed = exceptions.figures(vector.name());
    this.pagesMore = exceptions.bound(vector.name()).map(Exceptions.MissedBound::pages).orElse(0);
    this.faults = faults;
    this.notes = notes;
    listed.ifPresent(figures -> notes.accept(new Note("pages and driver calls", figures.why())));
    exceptions
        .bound(vector.name())
        .ifPresent(bound -> notes.accept(new Note("a page more than recorded", bound.why())));
  }

  private Binding binding(PoolReport pool, Recording recording) {
    if (listed.isPresent() && listed.get().pools().contains(pool.index())) {
      return Binding.OWN;
    }
    return switch (pool.config()) {
      case ResolvedPool.Exclusive exclusive -> Binding.OWN;
      case ResolvedPool.Direct direct -> recording.ownWayTaken() ? Binding.OWN : Binding.EXACT;
      case ResolvedPool.Sliced sliced -> vector.isRandom() ? Binding.RUN_PEAK : Binding.AT_MOST;
    };
  }

  /** Compares after a step. */
  void compare(int step, String name, List<PoolReport> pools, Recording recording) {
    long reserved = 0;
    long recorded = 0;
    long[] ownSum = new long[3];
    for (PoolReport pool : pools) {
      PoolTally tally = recording.tally(pool.index());
      switch (binding(pool, recording)) {
        case EXACT -> compareExactly(name, pool, tally);
        case AT_MOST -> compareBound(name + ", pages", pool, pool.pages(), tally.pages);
        case RUN_PEAK -> {
          reserved += pool.usage().reserved().bytes();
          recorded += tally.reserved;
          if (pool.pages() > 0) {
            largestPage = Math.max(largestPage, pool.usage().reserved().bytes() / pool.pages());
          }
        }
        case OWN -> {
          ownSum[0] += pool.usage().reserved().bytes();
          ownSum[1] += pool.driverAllocations();
          ownSum[2] += pool.driverFrees();
        }
      }
    }
    peak = Math.max(peak, reserved);
    recordedPeak = Math.max(recordedPeak, recorded);
    compareOwn(step, name, ownSum[0] + " " + ownSum[1] + " " + ownSum[2]);
  }

  private void compareExactly(String name, PoolReport pool, PoolTally tally) {
    String recorded = tally.reserved + " " + tally.allocations + " " + tally.frees;
    String actual =
        pool.usage().reserved().bytes() + " " + pool.driverAllocations() + " " + pool.driverFrees();
    if (!recorded.equals(actual)) {
      faults.accept(
          name
              + ", pool "
              + pool.index()
              + " reserved, driver allocations, driver frees: recorded "
              + recorded
              + ", Cistern "
              + actual);
    }
  }

  private void compareBound(String name, PoolReport pool, long pages, long recorded) {
    if (pages > recorded + pagesMore) {
      faults.accept(
          name + " of pool " + pool.index() + ": at most " + recorded + ", Cistern " + pages);
    }
  }

  private void compareOwn(int step, String name, String figures) {
    if (!figures.equals(lastOwn)) {
      own.put(String.valueOf(step), figures);
      lastOwn = figures;
    }
    if (listed.isEmpty()) {
      noteUnlisted(figures);
    } else {
      var entry = listed.get().at().floorEntry(step);
      String expected = entry == null ? "0 0 0" : entry.getValue();
      if (!expected.equals(figures) && !listedMissed) {
        listedMissed = true; // what follows is of the same fault
        faults.accept(name + ", own figures: listed " + expected + ", Cistern " + figures);
      }
    }
  }

  private void noteUnlisted(String figures) {
    if (!figures.equals("0 0 0") && !unlistedNoted) {
      unlistedNoted = true;
      notes.accept(
          new Note("pages and driver calls", "Cistern's own and not listed, so not compared"));
    }
  }

  /** Compares what a report says of pages and their peaks. */
  void comparePages(String name, List<PoolReport> pools, Recording recording) {
    for (PoolReport pool : pools) {
      PoolTally tally = recording.tally(pool.index());
      switch (binding(pool, recording)) {
        case EXACT -> {
          if (pool.pages() != tally.pages || pool.pagesPeak() != tally.pagesPeak) {
            faults.accept(name + ", pages of pool " + pool.index() + ": " + pool);
          }
        }
        case AT_MOST ->
            compareBound(name + ", peak of pages", pool, pool.pagesPeak(), tally.pagesPeak);
        case RUN_PEAK, OWN -> {}
      }
    }
  }

  /** Compares what binds over the whole run. */
  void compareRun() {
    if (peak > recordedPeak + largestPage) {
      faults.accept("peak reserved: at most " + recordedPeak + " and a page, Cistern " + peak);
    }
    if (peak > 0) {
      String figures = "at most a page above the recorded " + recordedPeak + ", Cistern " + peak;
      notes.accept(new Note("peak reserved by sliced pools", figures));
    }
  }

  /** Cistern's own figures, in the form of the list of exceptions; null if there are none. */
  ObjectNode ownFigures() {
    return own.isEmpty() ? null : own;
  }
}
