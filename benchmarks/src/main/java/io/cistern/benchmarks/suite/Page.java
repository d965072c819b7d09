package io.cistern.benchmarks.suite;

import io.cistern.benchmarks.peers.Allocator;
import io.cistern.config.MemoryPoolsConfig.Preset;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Results as a page of Markdown. */
final class Page {

  private static final String NONE = "–";

  private final Results results;
  private final StringBuilder text = new StringBuilder();

  Page(Results results) {
    this.results = results;
  }

  String text() {
    line("# Performance");
    line("");
    line("Cistern and other allocators side by side, written by `benchmarks/run`.");
    line("");
    if (!results.note().isEmpty()) {
      line("**" + results.note() + "**");
      line("");
    }
    facts();
    method();
    bars();
    Stream.of(Workload.values()).filter(results::has).forEach(this::workload);
    Stream.of(Preset.values())
        .filter(preset -> results.traces(preset).findAny().isPresent())
        .forEach(this::traces);
    return text.toString();
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  private void row(String... fields) {
    line("| " + String.join(" | ", fields) + " |");
  }

  /** Numbers stand to the right. */
  private void head(String... fields) {
    row(fields);
    line("|---" + "|--:".repeat(fields.length - 1) + "|");
  }

  private void facts() {
    line("- measured: " + results.day() + ", in " + results.minutes() + " minutes");
    results.machine().forEach((name, fact) -> line("- " + name + ": " + fact));
    line("- allocators: " + String.join(", ", results.versions()));
    results.absent().forEach((who, why) -> line("- missing: %s (%s)".formatted(who.title(), why)));
    line("");
  }

  private void method() {
    line(
        """
        **What is measured.** A pair is one allocation and one free; nobody touches the memory. \
        Small sizes are 256 B to 64 KiB, large ones 64 KiB to 64 MiB, each drawn so that every \
        doubling is as likely. Cistern manages the memory of the host with its default layout \
        (`sub-slices`). Its *shared* manager serves all threads, its *confined* one a single \
        thread; its handles are Java objects (*objects*) or plain numbers (*longs*).

        **Columns.** *CPU ns* is CPU time of the measuring threads for a pair, in nanoseconds; \
        *wall ns* is the time by the clock that a thread takes for one. *× best* is the time \
        over the best peer's, CPU time for one thread and wall time for two; below 1 is faster \
        than all peers. *Garbage* is bytes on the Java heap a pair. *Held / live* is what an \
        allocator has taken from the system, by its own word, over the most requested bytes that \
        were live at once.

        **How.** Each figure is the median of JVMs that measure nothing else: %s for one thread, \
        %s for two, 1 for a trace. Each first runs for %s to %s s unmeasured, the more the more is \
        live. The allocators take turns, so that noise of the machine hits all alike. The JVMs' \
        options: `%s`.
        """
            .formatted(
                Workload.FIXED.plan.forks(),
                Workload.FIXED_TWICE.plan.forks(),
                Workload.FIXED.plan.warmupSeconds(),
                Workload.LIVE_10K.plan.warmupSeconds(),
                String.join(" ", Measurement.JVM)));
  }

  private void bars() {
    line("## The bars");
    line("");
    line(
        "What Cistern must reach: the shared manager with longs, unless a line says otherwise. Times"
            + " are CPU time for one thread and wall time for two.");
    line("");
    row("workload", "figure", "wanted", "measured", "holds");
    line("|---|---|--:|--:|---|");
    Bars.of(results).forEach(this::bar);
    line("");
  }

  private void bar(Bar bar) {
    boolean told = bar.wanted() == Bar.Wanted.TOLD;
    row(
        bar.where(),
        bar.what(),
        bar.wanted().text + (told ? "" : number(OptionalDouble.of(bar.limit()))),
        number(bar.measured()),
        verdict(bar));
  }

  private static String verdict(Bar bar) {
    if (bar.measured().isEmpty()) {
      return "not measured";
    }
    if (bar.wanted() == Bar.Wanted.TOLD) {
      return NONE;
    }
    return bar.holds() ? "yes" : "**no**";
  }

  private void workload(Workload workload) {
    line("## " + workload.title);
    line("");
    head("allocator", "CPU ns", "wall ns", "× best", "garbage B", "held / live");
    OptionalDouble best = results.best(workload, _ -> true);
    measured(workload)
        .forEach(
            allocator ->
                row(
                    allocator.title(),
                    number(median(workload, allocator, Figures.CPU)),
                    number(median(workload, allocator, Results.WALL)),
                    number(Results.ratio(results.time(workload, allocator), best)),
                    whole(median(workload, allocator, Figures.GARBAGE)),
                    number(results.overhead(workload.id, allocator))));
    line("");
    notMeasured(workload);
    if (workload == Workload.LIVE_1M) {
      filling(workload);
    }
  }

  private Stream<Allocator> measured(Workload workload) {
    return Stream.of(Allocator.values())
        .filter(allocator -> results.time(workload, allocator).isPresent());
  }

  private void notMeasured(Workload workload) {
    String left =
        Stream.of(Allocator.values())
            .filter(allocator -> results.time(workload, allocator).isEmpty())
            .map(allocator -> allocator.title() + whyNot(workload, allocator))
            .collect(Collectors.joining("; "));
    if (!left.isEmpty()) {
      line("Not measured: " + left + ".");
      line("");
    }
  }

  private String whyNot(Workload workload, Allocator allocator) {
    return results.whyNot(workload, allocator).map(why -> " (" + why + ")").orElse("");
  }

  private void filling(Workload workload) {
    line(
        "*Fill* is one allocation while all are made, *empty* one free while all are freed, *heap*"
            + " the bytes that one live slice takes on the Java heap: the bookkeeping, and the"
            + " handle where it is an object.");
    line("");
    head("allocator", "fill, CPU ns", "empty, CPU ns", "heap B");
    measured(workload)
        .forEach(
            allocator ->
                row(
                    allocator.title(),
                    number(median(workload, allocator, Figures.FILL)),
                    number(median(workload, allocator, Figures.EMPTY)),
                    whole(median(workload, allocator, Figures.HEAP))));
    line("");
  }

  private OptionalDouble median(Workload workload, Allocator allocator, String figure) {
    return results.median(workload.id, allocator, figure);
  }

  private void traces(Preset preset) {
    line("## Traces on a simulated device, `" + preset.text() + "`");
    line("");
    line(
        "A row of a trace is one allocation or one free, by the shared manager with longs; the last"
            + " column is the confined one's.");
    line("");
    head(
        "trace",
        "CPU ns a row",
        "wall ns a row",
        "garbage B a row",
        "held / live",
        "the same, confined");
    results.traces(preset).forEach(trace -> trace(trace, Cell.nameOf(trace, preset)));
    line("");
  }

  private void trace(String trace, String cell) {
    Allocator allocator = Allocator.fastPath();
    row(
        trace,
        number(results.median(cell, allocator, Figures.CPU)),
        number(results.median(cell, allocator, Results.WALL)),
        whole(results.median(cell, allocator, Figures.GARBAGE)),
        number(results.overhead(cell, allocator)),
        number(results.overhead(cell, Cell.WITHOUT_MAGAZINES)));
  }

  private static String whole(OptionalDouble value) {
    return format("%,.0f", value);
  }

  /** Three digits or more. */
  private static String number(OptionalDouble value) {
    double size = value.orElse(0);
    return format(size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f", value);
  }

  private static String format(String format, OptionalDouble value) {
    return value.isEmpty() ? NONE : String.format(Locale.ROOT, format, value.getAsDouble());
  }
}
