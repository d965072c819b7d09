package io.cistern.cli;

import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFormat;
import io.cistern.trace.report.TraceInfo;
import io.cistern.trace.report.VmaDump;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/** What a trace holds, for people: no more than 80 columns, names of files aside. */
final class TraceInfoText {

  private static final int MOST_STREAMS = 20;
  private static final int WIDTH = 80;

  private final ReportLines lines = new ReportLines();
  private final TraceInfo info;

  private TraceInfoText(TraceInfo info) {
    this.info = info;
  }

  static String of(TraceInfo info) {
    TraceInfoText text = new TraceInfoText(info);
    text.title();
    text.peaks();
    text.spreads();
    text.streams();
    text.recording();
    text.problems();
    text.end();
    return text.lines.text();
  }

  private void title() {
    lines.line("trace   " + info.trace());
    lines.line("        " + info.format().title() + devices(info.facts()));
    lines.line(
        "        "
            + ReportLines.count(info.operations(), "operation")
            + ": "
            + ReportLines.count(info.allocations(), "allocation")
            + ", "
            + ReportLines.count(info.frees(), "free")
            + (info.facts().hasClock() && info.durationMicros() > 0
                ? ", in " + micros(info.durationMicros())
                : ""));
    lines.line("");
  }

  private static String devices(TraceFacts facts) {
    if (facts.device().isEmpty()) {
      return "";
    }
    String others =
        facts.devices().stream()
            .filter(device -> !facts.device().get().equals(device))
            .map(device -> device.name() + " (" + ReportLines.count(device.events(), "event") + ")")
            .collect(Collectors.joining(", "));
    return ", device "
        + facts.device().get().name()
        + (others.isEmpty() ? "" : "; not read: " + others);
  }

  private void peaks() {
    lines.sizeLine("peak live", info.peakLive());
    lines.valueLine("", "", "at line or event " + info.peakLine() + "; no layout reserves less");
    lines.valueLine("", Sizes.grouped(info.peakCount()), "allocations live at once at most");
    info.recordedPeak().ifPresent(this::recordedPeak);
    lines.line("");
  }

  private void recordedPeak(long peak) {
    lines.sizeLine("recorded peak", peak);
    lines.valueLine("", "", "reserved by the allocator that was recorded");
    long unseen = info.facts().count(TraceFacts.Count.UNSEEN_BYTES);
    if (info.peakLive() > 0) {
      double ratio = (double) peak / (info.peakLive() + unseen);
      lines.valueLine(
          "",
          String.format(Locale.ROOT, "%.3f", ratio),
          "recorded / live" + (unseen > 0 ? ", with what has no row" : ""));
    }
  }

  private void spreads() {
    TextTable table = new TextTable(1, "", "least", "median", "90 %", "largest", "distinct");
    add(table, "size", info.sizes(), Sizes::shortSize, distinct());
    add(table, "rows until the free", info.lifetimeRows(), Sizes::shortCount, "");
    if (info.facts().hasClock() && info.lifetimeMicros().most() > 0) {
      add(table, "time until the free", info.lifetimeMicros(), TraceInfoText::micros, "");
    }
    lines.table(table);
    lines.line("");
  }

  private String distinct() {
    String many = info.distinctSizes() == TraceInfo.MOST_DISTINCT ? "from " : "";
    return many + Sizes.shortCount(info.distinctSizes());
  }

  private static void add(
      TextTable table,
      String name,
      TraceInfo.Spread spread,
      LongFunction<String> text,
      String distinct) {
    if (spread.count() > 0) {
      table.add(
          name,
          text.apply(spread.least()),
          text.apply(spread.median()),
          text.apply(spread.most90()),
          text.apply(spread.most()),
          distinct);
    }
  }

  private static String micros(long micros) {
    if (micros < 1_000) {
      return micros + "us";
    }
    return micros < 1_000_000
        ? String.format(Locale.ROOT, "%.3gms", micros / 1e3)
        : String.format(Locale.ROOT, "%.1fs", micros / 1e6);
  }

  private void streams() {
    if (info.streams().size() < 2) {
      return;
    }
    TextTable table = new TextTable(0, "stream", "allocations");
    info.streams().entrySet().stream()
        .limit(MOST_STREAMS)
        .forEach(stream -> table.add(stream.getKey().toString(), Sizes.grouped(stream.getValue())));
    lines.table(table);
    int more = info.streams().size() - MOST_STREAMS;
    if (more > 0) {
      lines.line("(and " + ReportLines.count(more, "stream") + " more)");
    }
    lines.line("");
  }

  private void recording() {
    TraceFacts facts = info.facts();
    String head = "recording";
    for (TraceFacts.Count count : TraceFacts.Count.values()) {
      long number = facts.count(count);
      if (number != 0) {
        boolean bytes = count.key().endsWith("Bytes");
        lines.valueLine(head, bytes ? Sizes.size(number) : Sizes.grouped(number), count.text());
        head = "";
      }
    }
    if (info.emptyAllocations() > 0) {
      lines.valueLine(head, Sizes.grouped(info.emptyAllocations()), "allocations of no bytes");
      head = "";
    }
    if (facts.threads().size() > 1) {
      lines.valueLine(head, Sizes.grouped(facts.threads().size()), "threads");
      head = "";
    }
    if (facts.firstFailure().isPresent()) {
      TraceFacts.FailedRequest first = facts.firstFailure().get();
      lines.valueLine(
          "", "", "the first refused: " + Sizes.size(first.byteSize()) + ", at " + first.line());
    }
    facts.notes().forEach(this::wrapped);
    if (head.isEmpty() || !facts.notes().isEmpty()) {
      lines.line("");
    }
  }

  private void wrapped(String note) {
    StringBuilder line = new StringBuilder();
    for (String word : note.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > WIDTH) {
        lines.line(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.line(line.toString());
  }

  private void problems() {
    long all = info.skipped() + info.odd();
    if (all == 0) {
      return;
    }
    lines.valueLine(
        "problems", Sizes.grouped(all), "rows; left out: " + Sizes.grouped(info.skipped()));
    for (TraceException problem : info.problems()) {
      lines.line("  " + problem.getMessage());
    }
    if (all > info.problems().size()) {
      lines.line("  (and " + Sizes.grouped(all - info.problems().size()) + " more)");
    }
    lines.line("");
  }

  private void end() {
    lines.line(
        "at the end  "
            + ReportLines.count(info.end().allocations(), "allocation")
            + " live, "
            + Sizes.size(info.end().byteSize()));
  }

  /** A dump of one moment. */
  static String of(Path trace, VmaDump dump) {
    ReportLines lines = new ReportLines();
    lines.line("trace   " + trace);
    lines.line("        " + TraceFormat.VMA_DUMP.title() + ": one moment, which can't be replayed");
    lines.line("");
    TextTable table =
        new TextTable(1, "", "blocks", "reserved", "allocations", "in use", "gaps", "largest gap");
    dump.heaps().forEach((name, figures) -> add(table, name, figures));
    add(table, "total", dump.total());
    lines.table(table);
    return lines.text();
  }

  private static void add(TextTable table, String name, VmaDump.Figures figures) {
    table.add(
        name,
        Sizes.shortCount(figures.blocks()),
        Sizes.shortSize(figures.blockBytes()),
        Sizes.shortCount(figures.allocations()),
        Sizes.shortSize(figures.allocationBytes()),
        Sizes.shortCount(figures.unusedRanges()),
        Sizes.shortSize(figures.largestUnused()));
  }
}
