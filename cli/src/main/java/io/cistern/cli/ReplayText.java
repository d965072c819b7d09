package io.cistern.cli;

import io.cistern.manager.MemoryReport.PoolReport;
import io.cistern.trace.report.ReplayReport;
import io.cistern.trace.report.ReportJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A replay's report for people: no more than 80 columns, names of files aside. */
final class ReplayText {

  private final ReportLines lines = new ReportLines();
  private final ReplayReport report;
  private final ReplayReport.Figures figures;

  private ReplayText(ReplayReport report) {
    this.report = report;
    this.figures = report.figures();
  }

  /**
   * The whole report.
   *
   * @param curve the lines of a drawing of it; empty: there is none
   */
  static String of(ReplayReport report, String curve) {
    ReplayText text = new ReplayText(report);
    text.lines.title(report.subject(), report.figures());
    text.interruption();
    text.costs();
    if (!curve.isEmpty()) {
      text.lines.line(curve);
    }
    text.lines.pools(report.figures(), ReplayText::newTable, ReplayText::cells);
    text.end();
    return text.lines.text();
  }

  /** What failed, a line each. */
  static List<String> failures(ReplayReport report) {
    ReplayReport.Figures figures = report.figures();
    List<String> lines = new ArrayList<>();
    lines.addAll(ReportLines.refusals(report.subject(), figures));
    figures
        .firstMismatch()
        .ifPresent(
            first ->
                lines.add(
                    ReportLines.count(figures.mismatches(), "slice")
                        + " overwritten, the first allocated at "
                        + ReportLines.place(report.subject(), first.line(), first.id())
                        + ": byte "
                        + first.byteOffset()
                        + " of "
                        + first.byteSize()));
    if (report.interrupted()) {
      lines.add("interrupted; the report is of what was done");
    }
    return lines;
  }

  private void interruption() {
    if (report.interrupted()) {
      int passes = report.timing().passes();
      lines.line(
          passes == 0
              ? "INTERRUPTED: what follows is of the part that was replayed."
              : "INTERRUPTED after " + ReportLines.count(passes, "pass") + " of more.");
      lines.line("");
    }
  }

  private void costs() {
    lines.peaks(figures);
    lines.sizeLine("peak padding", figures.peakPadding());
    lines.valueLine(
        "driver calls",
        Sizes.grouped(figures.deviceAllocations() + figures.deviceFrees()),
        ReportLines.count(figures.deviceAllocations(), "allocation")
            + ", "
            + ReportLines.count(figures.deviceFrees(), "free"));
    report.nanosPerOperation().ifPresent(this::timeLines);
    lines.troubles(figures);
    if (report.subject().touched()) {
      lines.valueLine(
          "touched",
          figures.mismatches() == 0 ? "whole" : Sizes.grouped(figures.mismatches()),
          figures.mismatches() == 0 ? "every slice kept its pattern" : "slices were overwritten");
    }
    lines.line("");
  }

  /** A single pass says more of the JVM, which compiles meanwhile, than of the pools. */
  private void timeLines(double nanos) {
    int passes = report.timing().passes();
    boolean cold = passes <= 1;
    lines.valueLine(
        "time",
        time(nanos),
        "per operation"
            + (report.subject().touched() ? ", with touching" : "")
            + (cold
                ? ", in a cold JVM"
                : ", median of the later half of " + ReportLines.count(passes, "pass")));
    if (cold) {
      lines.valueLine("", "", "(in a warm one: --repeat 30 --at-least 3s)");
    }
  }

  private static String time(double nanos) {
    if (nanos < 1_000) {
      return String.format(Locale.ROOT, "%.1f ns", nanos);
    }
    return nanos < 1_000_000
        ? String.format(Locale.ROOT, "%.2f us", nanos / 1_000)
        : String.format(Locale.ROOT, "%.2f ms", nanos / 1_000_000);
  }

  /** The table of the pools, without a line. */
  static TextTable newTable() {
    return new TextTable(
        2,
        "#",
        "kind",
        "page",
        "slice",
        "pages/peak",
        "served",
        "largest",
        "in use",
        "reserved",
        "spills");
  }

  private static String[] cells(PoolReport pool) {
    return new String[] {
      Integer.toString(pool.index()),
      ReportJson.type(pool.config()),
      ReportLines.pageSize(pool.config()),
      ReportLines.sliceSize(pool.config()),
      Sizes.shortCount(pool.pages()) + "/" + Sizes.shortCount(pool.pagesPeak()),
      Sizes.shortCount(pool.served()),
      Sizes.shortSize(pool.largestAlloc().bytes()),
      Sizes.shortSize(pool.usage().inUse().bytes()),
      Sizes.shortSize(pool.usage().reserved().bytes()),
      pool.spills() == 0 ? "" : Sizes.shortCount(pool.spills())
    };
  }

  private void end() {
    ReplayReport.End end = figures.end();
    lines.line(
        "at the end  "
            + ReportLines.count(end.allocations(), "allocation")
            + " live, "
            + Sizes.size(end.inUse())
            + " in use, "
            + Sizes.size(end.reserved())
            + " reserved");
  }
}
