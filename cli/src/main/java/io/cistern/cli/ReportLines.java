package io.cistern.cli;

import io.cistern.layout.ResolvedPool;
import io.cistern.manager.MemoryReport.PoolReport;
import io.cistern.trace.report.ReplayReport;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What reports for people have in common: no more than 80 columns, names of files aside. */
final class ReportLines {

  private final StringBuilder text = new StringBuilder();

  /** All lines. */
  String text() {
    return text.toString();
  }

  /** What ran on what. */
  void title(ReplayReport.Subject subject, ReplayReport.Figures figures) {
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
  }

  /** The peaks that tell what memory cost. */
  void peaks(ReplayReport.Figures figures) {
    sizeLine("peak in use", figures.peakInUse());
    sizeLine("peak reserved", figures.peakReserved());
    figures
        .overhead()
        .ifPresent(ratio -> valueLine("overhead", Sizes.ratio(ratio), "reserved / in use"));
    figures.recorded().ifPresent(this::recorded);
  }

  private void recorded(ReplayReport.Recorded recorded) {
    valueLine(
        "recorded peak",
        Sizes.size(recorded.peakReserved()),
        Sizes.grouped(recorded.peakReserved()) + " bytes reserved by the recorded allocator");
    if (recorded.unseen() > 0) {
      valueLine("", Sizes.size(recorded.unseen()), "in it that was live throughout, without rows");
    }
  }

  /** What went wrong, as far as it did. */
  void troubles(ReplayReport.Figures figures) {
    countLine("refused", figures.refused(), "requests that could not be served");
    countLine("skipped", figures.skipped(), "bad rows");
    countLine("spills", figures.spills(), "requests passed on by a full pool");
  }

  void sizeLine(String name, long bytes) {
    valueLine(name, Sizes.size(bytes), bytes < 1024 ? "" : Sizes.grouped(bytes) + " bytes");
  }

  private void countLine(String name, long count, String note) {
    if (count > 0) {
      valueLine(name, Sizes.grouped(count), note);
    }
  }

  void valueLine(String name, String value, String note) {
    line(String.format(Locale.ROOT, "%-14s%10s  %s", name, value, note).stripTrailing());
  }

  void line(String line) {
    text.append(line).append('\n');
  }

  void table(TextTable table) {
    text(table.text());
  }

  /** Adds whole lines. */
  void text(String more) {
    text.append(more);
  }

  /** A number of things, in words. */
  static String count(long count, String what) {
    String plural = what.endsWith("s") ? what + "es" : what + "s";
    return Sizes.grouped(count) + " " + (count == 1 ? what : plural);
  }

  /** What says that requests were refused; empty if none was. */
  static List<String> refusals(ReplayReport.Subject subject, ReplayReport.Figures figures) {
    return figures
        .firstRefusal()
        .map(
            first ->
                count(figures.refused(), "request")
                    + " refused, the first at "
                    + place(subject, first.line(), first.id())
                    + ": "
                    + first.reason())
        .stream()
        .toList();
  }

  /** A place in a trace. */
  static String place(ReplayReport.Subject subject, long line, long id) {
    return subject.trace() + ":" + line + " (id " + id + ")";
  }

  /** Makes a line of a table. */
  @FunctionalInterface
  interface Row {
    String[] cells(PoolReport pool);
  }

  /** For each stream a table of the pools that were of use, and how many were not. */
  void pools(ReplayReport.Figures figures, Supplier<TextTable> newTable, Row row) {
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
          TextTable table = newTable.get();
          pools.stream().filter(ReportLines::isUsed).map(row::cells).forEach(table::add);
          table(table);
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

  /** The size of a pool's pages, shortly. */
  static String pageSize(ResolvedPool pool) {
    return switch (pool) {
      case ResolvedPool.Exclusive exclusive -> Sizes.shortSize(exclusive.maxAllocByteSize());
      case ResolvedPool.Direct direct -> "any";
      case ResolvedPool.Sliced sliced -> Sizes.shortSize(sliced.pageByteSize());
    };
  }

  /** The size of a pool's largest slice, shortly; empty if it has none. */
  static String sliceSize(ResolvedPool pool) {
    return pool instanceof ResolvedPool.Sliced sliced
        ? Sizes.shortSize(sliced.maxSliceByteSize())
        : "";
  }
}
