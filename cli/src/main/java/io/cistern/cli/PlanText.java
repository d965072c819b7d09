package io.cistern.cli;

import io.cistern.layout.ResolvedPool;
import io.cistern.manager.MemoryReport.PoolReport;
import io.cistern.trace.report.PlanReport;
import io.cistern.trace.report.ReplayReport;
import io.cistern.trace.report.ReportJson;
import java.util.ArrayList;
import java.util.List;

/** A plan's report for people: no more than 80 columns, names of files aside. */
final class PlanText {

  private final ReportLines lines = new ReportLines();
  private final PlanReport report;

  private PlanText(PlanReport report) {
    this.report = report;
  }

  /** The whole report. */
  static String of(PlanReport report) {
    PlanText text = new PlanText(report);
    ReplayReport.Figures figures = report.replayed();
    text.lines.title(report.subject(), figures);
    text.costs();
    text.lines.pools(figures, PlanText::newStreamTable, PlanText::cells);
    if (figures.streams() > 1) {
      text.layout();
    }
    return text.lines.text();
  }

  /** Why it does not fit, a line each. */
  static List<String> failures(PlanReport report) {
    List<String> failures =
        new ArrayList<>(ReportLines.refusals(report.subject(), report.replayed()));
    long spills = report.replayed().spills();
    if (spills > 0) {
      failures.add(ReportLines.count(spills, "request") + " passed on by a full pool");
    }
    if (!report.fits() && failures.isEmpty()) {
      failures.add("the replay was served from other places than were measured");
    }
    return failures;
  }

  /** What heads the file with the planned layout. */
  static String comment(PlanReport report) {
    ReplayReport.Subject subject = report.subject();
    return "Planned by Cistern for "
        + subject.trace()
        + "\nfrom the layout "
        + subject.layout()
        + " on the device "
        + subject.device()
        + " (alignment "
        + subject.byteAlignment()
        + ").\nEach cap is the most that the pool held"
        + (report.replayed().streams() > 1 ? " in any of the streams" : "")
        + ", at least a page.";
  }

  private void costs() {
    lines.valueLine(
        "fits",
        report.fits() ? "yes" : "no",
        report.fits() ? "all places as measured, no spill, none refused" : "");
    lines.peaks(report.replayed());
    if (report.layout().pools().stream().anyMatch(ResolvedPool::isCapped)) {
      lines.sizeLine("peak pages", report.peakPagesByteSize());
      lines.sizeLine("capped at", report.cappedByteSize());
    } else {
      lines.valueLine("capped at", "none", "no pool is sliced");
    }
    lines.troubles(report.replayed());
    lines.line("");
  }

  private static TextTable newStreamTable() {
    return new TextTable(2, "#", "kind", "page", "slice", "pages", "cap", "served", "largest");
  }

  private static String[] cells(PoolReport pool) {
    return new String[] {
      Integer.toString(pool.index()),
      ReportJson.type(pool.config()),
      ReportLines.pageSize(pool.config()),
      ReportLines.sliceSize(pool.config()),
      Sizes.shortCount(pool.pagesPeak()),
      cap(pool.config()),
      Sizes.shortCount(pool.served()),
      Sizes.shortSize(pool.largestAlloc().bytes())
    };
  }

  /** The layout that is one for all streams. */
  private void layout() {
    lines.line("all streams: each cap is the largest of the streams', and holds for each");
    TextTable table = new TextTable(2, "#", "kind", "page", "slice", "cap");
    for (int i = 0; i < report.layout().pools().size(); i++) {
      ResolvedPool pool = report.layout().pools().get(i);
      table.add(
          Integer.toString(i),
          ReportJson.type(pool),
          ReportLines.pageSize(pool),
          ReportLines.sliceSize(pool),
          cap(pool));
    }
    lines.table(table);
    lines.line("");
  }

  private static String cap(ResolvedPool pool) {
    return pool instanceof ResolvedPool.Sliced sliced
        ? Sizes.shortSize(sliced.maxPoolByteSize().orElseThrow())
        : "";
  }
}
