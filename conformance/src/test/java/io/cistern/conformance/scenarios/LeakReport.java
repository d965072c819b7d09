package io.cistern.conformance.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.LiveAllocation;
import io.cistern.conformance.Json;
import io.cistern.conformance.Ledger;
import io.cistern.storage.MemoryEvent;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a manager reports at its close, by the scenarios' words. */
final class LeakReport {

  private static final String IN_ORDER = "by allocation number, the same each run";

  private LeakReport() {}

  /**
   * Closes a manager that has a listener; a second close reports nothing.
   *
   * @param mapped whether what is live has memory, which is to be out of reach afterwards
   */
  static ObjectNode of(Site site, boolean mapped, Runnable close) {
    int reportsBefore = site.heard().closed().size();
    List<Ledger.Held> live = site.book().open().stream().map(site.book()::handle).toList();
    // Those that were not looked at take memory only now.
    List<MemorySegment> segments =
        mapped && reportsBefore == 0
            ? live.stream().map(held -> held.allocation().segment()).toList()
            : List.of();
    close.run();
    segments.stream()
        .filter(segment -> segment.byteSize() > 0)
        .forEach(segment -> assertThat(segment.scope().isAlive()).as("a stale segment").isFalse());
    List<MemoryEvent.Closed> reports = site.heard().closed();
    ObjectNode facts = Json.object();
    for (MemoryEvent.Closed report : reports.subList(reportsBefore, reports.size())) {
      facts.setAll(facts(report, sizesInOrder(live)));
    }
    return facts;
  }

  /** By the first handle of each, which is the one that was asked for. */
  private static List<Long> sizesInOrder(List<Ledger.Held> live) {
    return live.stream().map(Ledger.Held::region).distinct().map(Ledger.Region::size).toList();
  }

  private static ObjectNode facts(MemoryEvent.Closed report, List<Long> sizesInOrder) {
    Map<String, Integer> labels = new TreeMap<>();
    for (LiveAllocation one : report.live()) {
      if (!one.tag().isEmpty()) {
        labels.merge(one.tag(), 1, Integer::sum);
      }
    }
    List<Long> sizes = report.live().stream().map(LiveAllocation::byteSize).toList();
    ObjectNode facts =
        Json.object()
            .put("reports_live", report.liveAllocations())
            .put("reports_live_bytes", report.liveBytes())
            .put("order", sizes.equals(sizesInOrder) ? IN_ORDER : "sizes " + sizes)
            .put(
                "each_has_place_of_allocation_when_tracking_is_on",
                report.live().stream().allMatch(LeakReport::hasPlaceHere));
    labels.forEach(facts.putObject("labels")::put);
    return facts;
  }

  private static boolean hasPlaceHere(LiveAllocation one) {
    return one.place().contains(Site.class.getName());
  }
}
