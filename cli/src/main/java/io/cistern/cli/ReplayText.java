package io.cistern.cli;

import io.cistern.layout.ResolvedPool;
import io.cistern.manager.MemoryReport.PoolReport;
import io.cistern.trace.ReplayReport;
import io.cistern.trace.ReportJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A replay's report for people: no more than 80 columns, names of files aside. */
final class ReplayText {

  private final StringBuilder text = new StringBuilder();
  private final ReplayReport report;
  private final ReplayReport.Figures figures;

  private ReplayText(ReplayReport report) {
    this.report = report;
    this.figures = report.figures();
  }

  /** The whole report. */
  static String of(ReplayReport report) {
    ReplayText text = new ReplayText(report);
    text.title();
    text.costs();
    text.pools();
    text.end();
    return text.text.toString();
  }

  /** What failed, a line each. */
  static List<String> failures(ReplayReport report) {
    ReplayReport.Figures figures = report.figures();
    List<String> lines = new ArrayList<>();
    figures
        .firstRefusal()
        .ifPresent(
            first ->
                lines.add(
                    count(figures.refused(), "request")
                        + " refused, the first at "
                        + place(report, first.line(), first.id())
                        + ": "
                        + first.reason()));
    figures
        .firstMismatch()
        .ifPresent(
            first ->
                lines.add(
                    count(figures.mismatches(), "slice")
                        + " overwritten, the first allocated at "
                        + place(report, first.line(), first.id())
                        + ": byte "
                        + first.byteOffset()
                        + " of "
                        + first.byteSize()));
    if (report.interrupted()) {
      lines.add("interrupted; the report is of what was done");
    }
    return lines;
  }

  private static String place(ReplayReport report, long line, long id) {
    return report.subject().trace() + ":" + line + " (id " + id + ")";
  }

  private void title() {
    ReplayReport.Subject subject = report.subject();
    String streams = figures.streams() > 1 ? ", " + figures.streams() + " streams" : "";
    line("trace   " + subject.trace());
    line(
        "        "
            + count(figures.operations(), "operation")
            + ": "
            + count(figures.allocations(), "allocation")
            + ", "
            + count(figures.frees(), "free")
            + streams);
    line(
        "device  "
            + subject.device()
            + ", alignment "
            + Sizes.size(subject.byteAlignment())
            + ", max page size "
            + Sizes.size(subject.maxPageByteSize()));
    line("layout  " + subject.layout());
    line("");
    if (report.interrupted()) {
      int passes = report.timing().passes();
      line(
          passes == 0
              ? "INTERRUPTED: what follows is of the part that was replayed."
              : "INTERRUPTED after " + count(passes, "pass") + " of more.");
      line("");
    }
  }

  private void costs() {
    sizeLine("peak in use", figures.peakInUse());
    sizeLine("peak reserved", figures.peakReserved());
    figures
        .overhead()
        .ifPresent(
            ratio ->
                valueLine(
                    "overhead", String.format(Locale.ROOT, "%.3f", ratio), "reserved / in use"));
    sizeLine("peak padding", figures.peakPadding());
    valueLine(
        "driver calls",
        Sizes.grouped(figures.deviceAllocations() + figures.deviceFrees()),
        count(figures.deviceAllocations(), "allocation")
            + ", "
            + count(figures.deviceFrees(), "free"));
    report.nanosPerOperation().ifPresent(this::timeLines);
    countLine("refused", figures.refused(), "requests that could not be served");
    countLine("skipped", figures.skipped(), "bad rows");
    countLine("spills", figures.spills(), "requests passed on by a full pool");
    if (report.subject().touched()) {
      valueLine(
          "touched",
          figures.mismatches() == 0 ? "whole" : Sizes.grouped(figures.mismatches()),
          figures.mismatches() == 0 ? "every slice kept its pattern" : "slices were overwritten");
    }
    line("");
  }

  /** A single pass says more of the JVM, which compiles meanwhile, than of the pools. */
  private void timeLines(double nanos) {
    int passes = report.timing().passes();
    boolean cold = passes <= 1;
    valueLine(
        "time",
        time(nanos),
        "per operation"
            + (report.subject().touched() ? ", with touching" : "")
            + (cold
                ? ", in a cold JVM"
                : ", median of the later half of " + count(passes, "pass")));
    if (cold) {
      valueLine("", "", "(in a warm one: --repeat 30 --at-least 3s)");
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

  private void pools() {
    Map<Integer, List<PoolReport>> streams =
        figures.pools().stream()
            .collect(
                Collectors.groupingBy(
                    ReplayReport.PoolFigures::stream,
                    TreeMap::new,
                    Collectors.mapping(ReplayReport.PoolFigures::report, Collectors.toList())));
    streams.forEach(
        (stream, pools) -> {
          line("stream " + stream);
          text.append(table(pools));
          long idle = pools.stream().filter(pool -> !isUsed(pool)).count();
          if (idle > 0) {
            line("(and " + count(idle, "pool") + " that served nothing)");
          }
          line("");
        });
  }

  private static boolean isUsed(PoolReport pool) {
    return pool.served() > 0 || pool.pagesPeak() > 0 || pool.spills() > 0;
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

  private static String table(List<PoolReport> pools) {
    TextTable table = newTable();
    for (PoolReport pool : pools) {
      if (isUsed(pool)) {
        table.add(
            Integer.toString(pool.index()),
            ReportJson.type(pool.config()),
            pageSize(pool.config()),
            sliceSize(pool.config()),
            Sizes.shortCount(pool.pages()) + "/" + Sizes.shortCount(pool.pagesPeak()),
            Sizes.shortCount(pool.served()),
            Sizes.shortSize(pool.largestAlloc().bytes()),
            Sizes.shortSize(pool.usage().inUse().bytes()),
            Sizes.shortSize(pool.usage().reserved().bytes()),
            pool.spills() == 0 ? "" : Sizes.shortCount(pool.spills()));
      }
    }
    return table.text();
  }

  private static String pageSize(ResolvedPool pool) {
    return switch (pool) {
      case ResolvedPool.Exclusive exclusive -> Sizes.shortSize(exclusive.maxAllocByteSize());
      case ResolvedPool.Direct direct -> "any";
      case ResolvedPool.Sliced sliced -> Sizes.shortSize(sliced.pageByteSize());
    };
  }

  private static String sliceSize(ResolvedPool pool) {
    return pool instanceof ResolvedPool.Sliced sliced
        ? Sizes.shortSize(sliced.maxSliceByteSize())
        : "";
  }

  private void end() {
    ReplayReport.End end = figures.end();
    line(
        "at the end  "
            + count(end.allocations(), "allocation")
            + " live, "
            + Sizes.size(end.inUse())
            + " in use, "
            + Sizes.size(end.reserved())
            + " reserved");
  }

  private void sizeLine(String name, long bytes) {
    valueLine(name, Sizes.size(bytes), bytes < 1024 ? "" : Sizes.grouped(bytes) + " bytes");
  }

  private void countLine(String name, long count, String note) {
    if (count > 0) {
      valueLine(name, Sizes.grouped(count), note);
    }
  }

  private void valueLine(String name, String value, String note) {
    line(String.format(Locale.ROOT, "%-14s%10s  %s", name, value, note).stripTrailing());
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  private static String count(long count, String what) {
    String plural = what.endsWith("s") ? what + "es" : what + "s";
    return Sizes.grouped(count) + " " + (count == 1 ? what : plural);
  }
}
