package io.cistern.cli;

import io.cistern.trace.report.FitReport;
import io.cistern.trace.report.ReplayReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether a trace fits, for people: no more than 80 columns, names of files aside. */
final class FitText {

  private final ReportLines lines = new ReportLines();
  private final FitReport report;

  private FitText(FitReport report) {
    this.report = report;
  }

  /** The whole report. */
  static String of(FitReport report) {
    FitText text = new FitText(report);
    text.head();
    text.layouts();
    text.best();
    return text.lines.text();
  }

  /** Why it does not fit, a line each. */
  static List<String> failures(FitReport report) {
    List<String> failures = new ArrayList<>();
    if (report.lowerBound() > report.memory()) {
      failures.add(
          "no layout can fit: "
              + report.lowerBound()
              + " bytes are live at once, of "
              + report.memory());
    } else if (report.best().isEmpty()) {
      for (FitReport.Row row : report.rows()) {
        row.firstRefusal().ifPresent(first -> failures.add(refusal(report, row, first)));
      }
    }
    if (report.interrupted()) {
      failures.add("interrupted; the smallest memory is not known of all layouts");
    }
    return failures;
  }

  private static String refusal(FitReport report, FitReport.Row row, ReplayReport.Refusal first) {
    return row.name()
        + ": "
        + ReportLines.count(row.refused(), "request")
        + " refused, the first at "
        + report.trace()
        + ":"
        + first.line()
        + " (id "
        + first.id()
        + "): "
        + first.reason();
  }

  /** What heads the file with a layout. */
  static String comment(FitReport report, FitReport.Row row) {
    return "Chosen by Cistern (fits) for "
        + report.trace()
        + "\non a device of "
        + Sizes.size(report.memory())
        + ": it reserves "
        + Sizes.size(row.peakReserved())
        + " there.";
  }

  private void head() {
    Optional<FitReport.Row> best = report.best();
    lines.line("trace   " + report.trace());
    lines.line(
        "device  simulated, "
            + Sizes.size(report.memory())
            + ", alignment "
            + Sizes.size(report.byteAlignment()));
    lines.line("");
    lines.valueLine(
        "fits",
        best.isPresent() ? "yes" : "no",
        best.map(row -> "on " + row.name()).orElse("on none of these layouts"));
    lines.sizeLine("lower bound", report.lowerBound());
    best.ifPresent(row -> lines.sizeLine("peak reserved", row.peakReserved()));
    best.ifPresent(row -> lines.sizeLine("room", report.memory() - row.peakReserved()));
    report
        .smallest()
        .ifPresent(
            row ->
                lines.valueLine(
                    "smallest",
                    Sizes.size(row.smallest().getAsLong()),
                    "of memory that does, on " + row.name()));
    report.recordedPeak().ifPresent(peak -> lines.sizeLine("recorded peak", peak));
    lines.line("");
  }

  private void layouts() {
    TextTable table =
        new TextTable(1, "layout", "fits", "reserved", "room", "calls", "refused", "smallest");
    for (FitReport.Row row : report.rows()) {
      table.add(
          row.name(),
          row.fits() ? "yes" : "no",
          Sizes.shortSize(row.peakReserved()),
          row.fits() ? Sizes.shortSize(report.memory() - row.peakReserved()) : "",
          Sizes.grouped(row.driverCalls()),
          row.fits() ? "" : Sizes.grouped(row.refused()),
          row.smallest().isPresent() ? Sizes.shortSize(row.smallest().getAsLong()) : "none");
    }
    lines.table(table);
    lines.line("");
  }

  private void best() {
    report
        .best()
        .ifPresent(
            row -> {
              lines.line(row.name());
              lines.text(PoolTable.of(row.layout()));
              lines.line("");
            });
  }
}
