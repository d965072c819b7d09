package io.cistern.benchmarks.suite;

import io.cistern.benchmarks.peers.Allocator;
import io.cistern.config.MemoryPoolsConfig.Preset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
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
    line(
        "Written by `benchmarks/run` on %s from [results.json](../benchmarks/results.json); measured in %s minutes."
            .formatted(results.day(), results.minutes()));
    line("");
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
    results.machine().forEach((name, fact) -> line("- " + name + ": " + fact));
    line("- allocators: " + String.join(", ", results.versions()));
    line("");
  }

  private void method() {
    line(
        """
        A pair is an allocation and its free; memory is never touched. Figures are medians over \
        JVMs of their own (3 for one thread, 5 for two, 1 for a trace), between which the \
        allocators take turns. CPU time is of the measuring threads; wall time is what each \
        thread sees. × is the time over the best peer's: CPU time for one thread, wall time for \
        two. Garbage is in bytes a pair. Held is what an allocator holds by its own word at the \
        end of an iteration, over the most requested bytes that were live. Sizes are 256 B to \
        64 KiB and large ones 64 KiB to 64 MiB, spread evenly over powers of two. Cistern uses \
        the host device with the default layout. All JVMs get `%s`.
        """
            .formatted(String.join(" ", Measurement.JVM)));
  }

  private void bars() {
    line("## The bars");
    line("");
    line("Of the shared manager with `long` handles, unless another is named.");
    line("");
    row("figure", "bar", "measured", "");
    line("|---|---|--:|---|");
    Bar.of(results).stream()
        .filter(bar -> bar.figure().isPresent())
        .forEach(bar -> row(bar.what(), bar.limitText(), ratio(bar.figure()), bar.verdict()));
    line("");
  }

  private void workload(Workload workload) {
    boolean filled = workload == Workload.LIVE_1M;
    List<String> absent = new ArrayList<>();
    line("## " + workload.title);
    line("");
    List<String> head =
        new ArrayList<>(
            List.of("allocator", "CPU ns", "wall ns", "×", "garbage B", "held / peak live"));
    if (filled) {
      head.addAll(List.of("fill, ns each", "empty, ns each", "heap B each"));
    }
    head(head.toArray(String[]::new));
    OptionalDouble best = Bar.best(results, workload, _ -> true);
    for (Allocator allocator : Allocator.values()) {
      if (Bar.time(results, workload, allocator).isEmpty()) {
        absent.add(allocator.title() + ": " + whyNot(workload, allocator));
        continue;
      }
      List<String> row =
          new ArrayList<>(
              List.of(
                  allocator.title(),
                  nanos(median(workload, allocator, CellProfiler.CPU)),
                  nanos(median(workload, allocator, Results.WALL)),
                  ratio(Bar.ratio(Bar.time(results, workload, allocator), best)),
                  whole(median(workload, allocator, Results.GARBAGE)),
                  ratio(results.overhead(workload.id, allocator))));
      if (filled) {
        row.add(nanos(median(workload, allocator, Figures.FILL)));
        row.add(nanos(median(workload, allocator, Figures.EMPTY)));
        row.add(whole(median(workload, allocator, Figures.HEAP)));
      }
      row(row.toArray(String[]::new));
    }
    line("");
    if (!absent.isEmpty()) {
      line("Left out: " + String.join("; ", absent) + ".");
      line("");
    }
  }

  private OptionalDouble median(Workload workload, Allocator allocator, String figure) {
    return results.median(workload.id, allocator, figure);
  }

  private static String whyNot(Workload workload, Allocator allocator) {
    String why = Cell.whyNot(workload, allocator);
    return why.isEmpty() ? "not measured in this run" : why;
  }

  private void traces(Preset preset) {
    line("## Traces on the simulated device, `" + preset.text() + "`");
    line("");
    head("trace", "wall ns a row", "held / peak live", "the same, confined");
    Stream<String> traces = results.traces(preset);
    traces.forEach(
        trace -> {
          String cell = Cell.nameOf(trace, preset);
          row(
              trace,
              nanos(results.median(cell, Allocator.fastPath(), Results.WALL)),
              ratio(results.overhead(cell, Allocator.fastPath())),
              ratio(results.overhead(cell, Allocator.CONFINED_LONGS)));
        });
    line("");
  }

  private static String nanos(OptionalDouble value) {
    return format(value.isPresent() && value.getAsDouble() >= 100 ? "%,.0f" : "%.1f", value);
  }

  private static String whole(OptionalDouble value) {
    return format("%,.0f", value);
  }

  private static String ratio(OptionalDouble value) {
    return format("%.2f", value);
  }

  private static String format(String format, OptionalDouble value) {
    return value.isEmpty() ? NONE : String.format(Locale.ROOT, format, value.getAsDouble());
  }
}
