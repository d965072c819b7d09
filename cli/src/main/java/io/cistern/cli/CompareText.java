package io.cistern.cli;

import io.cistern.trace.report.CompareReport;
import io.cistern.trace.report.ReplayReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** A comparison for people: no more than 80 columns, names of files aside. */
final class CompareText {

  private final ReportLines lines = new ReportLines();
  private final CompareReport report;

  private CompareText(CompareReport report) {
    this.report = report;
  }

  /** The whole report. */
  static String of(CompareReport report) {
    CompareText text = new CompareText(report);
    text.head();
    Map<String, List<CompareReport.Row>> traces = new LinkedHashMap<>();
    for (CompareReport.Row row : report.rows()) {
      traces.computeIfAbsent(row.report().subject().trace(), _ -> new ArrayList<>()).add(row);
    }
    traces.forEach(text::trace);
    if (traces.size() > 1) {
      text.means();
    }
    return text.lines.text();
  }

  /** What failed, a line each. */
  static List<String> failures(CompareReport report) {
    List<String> failures = new ArrayList<>();
    for (CompareReport.Row row : report.rows()) {
      for (String line : ReportLines.refusals(row.report().subject(), row.report().figures())) {
        failures.add(row.report().subject().layout() + ": " + line);
      }
    }
    if (report.interrupted()) {
      failures.add("interrupted; the report is of what was finished");
    }
    return failures;
  }

  private void head() {
    if (report.interrupted()) {
      lines.line(
          "PARTIAL: interrupted after "
              + report.rows().size()
              + " of "
              + report.asked()
              + " rows.");
      lines.line("");
    }
    lines.line("device  " + report.device() + ", alignment " + Sizes.size(report.byteAlignment()));
    lines.line("");
  }

  private void trace(String trace, List<CompareReport.Row> rows) {
    CompareReport.Row first = rows.getFirst();
    ReplayReport.Figures figures = first.report().figures();
    lines.line("trace   " + trace);
    lines.line("        " + ReportLines.count(figures.operations(), "operation"));
    lines.sizeLine("lower bound", first.lowerBound());
    figures.recorded().ifPresent(recorded -> recorded(recorded, first.lowerBound()));
    TextTable table =
        new TextTable(1, "layout", "reserved", "overhead", "driver calls", "ns/op", "refused");
    for (CompareReport.Row row : rows) {
      table.add(cells(row));
    }
    lines.line("");
    lines.table(table);
    lines.line("");
  }

  private void recorded(ReplayReport.Recorded recorded, long lowerBound) {
    lines.valueLine(
        "recorded peak",
        Sizes.size(recorded.peakReserved()),
        lowerBound == 0
            ? ""
            : Sizes.ratio((double) recorded.peakReserved() / lowerBound) + " of the lower bound");
    if (recorded.unseen() > 0) {
      lines.valueLine(
          "", Sizes.size(recorded.unseen()), "in it that was live throughout, without rows");
    }
  }

  private static String[] cells(CompareReport.Row row) {
    ReplayReport.Figures figures = row.report().figures();
    return new String[] {
      row.report().subject().layout(),
      Sizes.shortSize(figures.peakReserved()),
      Sizes.ratio(row.ratio()),
      Sizes.grouped(row.driverCalls()),
      Sizes.nanos(row.report().nanosPerOperation()),
      figures.refused() == 0 ? "" : Sizes.grouped(figures.refused())
    };
  }

  /** The geometric mean for each layout over the traces that have it. */
  private void means() {
    Map<String, List<Double>> logs = new LinkedHashMap<>();
    Map<String, Long> calls = new LinkedHashMap<>();
    for (CompareReport.Row row : report.rows()) {
      String layout = row.report().subject().layout();
      row.ratio()
          .ifPresent(
              ratio -> logs.computeIfAbsent(layout, _ -> new ArrayList<>()).add(Math.log(ratio)));
      calls.merge(layout, row.driverCalls(), Math::max);
    }
    lines.line("all traces: the geometric mean, and the most driver calls on any");
    TextTable table = new TextTable(1, "layout", "traces", "overhead", "driver calls");
    logs.forEach(
        (layout, values) -> {
          double mean = values.stream().mapToDouble(value -> value).average().orElseThrow();
          table.add(
              layout,
              Integer.toString(values.size()),
              Sizes.ratio(OptionalDouble.of(Math.exp(mean))),
              Sizes.grouped(calls.getOrDefault(layout, 0L)));
        });
    lines.table(table);
  }
}
