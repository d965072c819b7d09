package io.cistern.cli;

import io.cistern.layout.PoolLayout;
import io.cistern.trace.report.SearchReport;
import io.cistern.trace.report.SearchReport.OnTrace;
import io.cistern.trace.report.SearchReport.Scored;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** What a search found, for people: no more than 80 columns, names of files aside. */
final class TuneText {

  /** What heads a layout file stays readable. */
  private static final int MOST_TRACES = 20;

  private final ReportLines lines = new ReportLines();
  private final SearchReport report;

  private TuneText(SearchReport report) {
    this.report = report;
  }

  /** The whole report. */
  static String of(SearchReport report) {
    TuneText text = new TuneText(report);
    text.head();
    text.traces("the best on each trace", report.best().traces());
    text.front();
    report.validation().ifPresent(text::validation);
    text.best();
    return text.lines.text();
  }

  /** What is not as it was asked for, a line each. */
  static List<String> failures(SearchReport report) {
    List<String> failures = new ArrayList<>();
    if (report.best().calls() > report.mostCalls()) {
      failures.add(
          "no layout was found with at most "
              + ReportLines.count(report.mostCalls(), "driver call")
              + " a trace: the best has "
              + report.best().calls());
    }
    for (Scored validation : report.validation().stream().toList()) {
      for (OnTrace trace : validation.traces()) {
        if (trace.refused() > 0) {
          failures.add(
              ReportLines.count(trace.refused(), "request") + " of " + trace.trace() + " refused");
        }
      }
    }
    if (report.end() == SearchReport.End.INTERRUPTED) {
      failures.add("interrupted; the layout is the best until then");
    }
    return failures;
  }

  /** What heads the file with the best layout. */
  static String comment(SearchReport report) {
    Scored best = report.best();
    List<String> comment = new ArrayList<>();
    comment.add("Found by Cistern (tune) for the simulated device, " + alignment(report) + ":");
    comment.add("seed " + report.seed() + ", " + evaluations(report) + ".");
    comment.add(
        "Peak reserved / lower bound "
            + Sizes.ratio(best.ratio())
            + ", at most "
            + ReportLines.count(best.calls(), "driver call")
            + " a trace.");
    best.traces().stream().limit(MOST_TRACES).map(TuneText::commentLine).forEach(comment::add);
    if (best.traces().size() > MOST_TRACES) {
      comment.add("  and " + (best.traces().size() - MOST_TRACES) + " traces more");
    }
    for (Scored validation : report.validation().stream().toList()) {
      comment.add("On traces that the search did not see:");
      validation.traces().stream()
          .limit(MOST_TRACES)
          .map(TuneText::commentLine)
          .forEach(comment::add);
    }
    return String.join("\n", comment);
  }

  private static String commentLine(OnTrace trace) {
    return "  "
        + trace.trace()
        + ": "
        + Sizes.size(trace.peakReserved())
        + ", "
        + Sizes.ratio(trace.ratio())
        + ", "
        + ReportLines.count(trace.driverCalls(), "call");
  }

  private static String alignment(SearchReport report) {
    return "alignment " + Sizes.size(report.byteAlignment());
  }

  private static String evaluations(SearchReport report) {
    return ReportLines.count(report.evaluations(), "evaluation")
        + switch (report.end()) {
          case EVALUATIONS -> "";
          case TIME -> ", then the time was over";
          case INTERRUPTED -> ", then interrupted";
        };
  }

  private void head() {
    if (report.end() == SearchReport.End.INTERRUPTED) {
      lines.line("INTERRUPTED: what follows was found until then.");
      lines.line("");
    }
    lines.line("search  " + evaluations(report) + ", seed " + report.seed());
    if (report.end() == SearchReport.End.TIME) {
      lines.line(
          "        with --evaluations " + report.evaluations() + " and time it is the same again");
    }
    lines.line("device  simulated, " + alignment(report));
    lines.line("");
  }

  private void traces(String title, List<OnTrace> traces) {
    lines.line(title);
    TextTable table =
        new TextTable(
            0, "lower bound", "reserved", "overhead", "driver calls", "recorded", "refused", "");
    for (OnTrace trace : traces) {
      table.add(
          Sizes.shortSize(trace.lowerBound()),
          Sizes.shortSize(trace.peakReserved()),
          Sizes.ratio(trace.ratio()),
          Sizes.grouped(trace.driverCalls()),
          size(trace.recordedPeak()),
          trace.refused() == 0 ? "" : Sizes.grouped(trace.refused()),
          trace.trace());
    }
    lines.table(table);
    lines.line("");
  }

  private static String size(OptionalLong bytes) {
    return bytes.isPresent() ? Sizes.shortSize(bytes.getAsLong()) : "";
  }

  /** The presets, then the front: bytes against driver calls. */
  private void front() {
    boolean one = report.best().traces().size() == 1;
    lines.line(
        one
            ? "what nothing beats in both bytes and driver calls"
            : "what nothing beats in both bytes (mean overhead) and driver calls (most a trace)");
    TextTable table =
        new TextTable(1, "layout", "pools", "overhead", one ? "reserved" : "", "calls", "ns/op");
    report.presets().forEach(preset -> table.add(cells(preset, "", one)));
    for (Scored layout : report.front()) {
      boolean best = layout.layout().equals(report.best().layout());
      table.add(cells(layout, best ? "* " : "  ", one));
    }
    lines.table(table);
    lines.line("");
  }

  private static String[] cells(Scored layout, String mark, boolean one) {
    return new String[] {
      mark + layout.name(),
      Integer.toString(layout.layout().pools().size()),
      Sizes.ratio(layout.ratio()),
      one ? Sizes.shortSize(layout.peakReserved()) : "",
      Sizes.grouped(layout.calls()),
      Sizes.nanos(layout.nanosPerOperation())
    };
  }

  private void validation(Scored validation) {
    traces(
        "traces that the search did not see: overhead "
            + Sizes.ratio(validation.ratio())
            + ", at most "
            + ReportLines.count(validation.calls(), "driver call"),
        validation.traces());
  }

  private void best() {
    PoolLayout layout = report.best().layout();
    lines.line(
        "the best (*): overhead "
            + Sizes.ratio(report.best().ratio())
            + ", at most "
            + ReportLines.count(report.best().calls(), "driver call")
            + " a trace");
    lines.text(PoolTable.of(layout));
    lines.line("");
  }
}
