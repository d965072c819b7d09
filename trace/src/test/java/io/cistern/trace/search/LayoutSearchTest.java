package io.cistern.trace.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cistern.MemorySize;
import io.cistern.layout.PoolLayout;
import io.cistern.layout.ResolvedPool;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageOptions;
import io.cistern.trace.ReadOptions;
import io.cistern.trace.replay.DecodedTrace;
import io.cistern.trace.report.ReplayReport;
import io.cistern.trace.report.SearchReport;
import io.cistern.trace.report.SearchReport.OnTrace;
import io.cistern.trace.report.SearchReport.Scored;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LayoutSearchTest {

  private static final Duration LONG = Duration.ofHours(1);

  @TempDir private Path folder;

  private static DecodedTrace own(String name) throws IOException {
    return DecodedTrace.read(Path.of("..", "traces", name + ".csv.gz"), ReadOptions.DEFAULT, false);
  }

  private DecodedTrace rows(String... rows) throws IOException {
    Path file = folder.resolve("t.csv");
    Files.writeString(file, "op,id,size,stream,time_us\n" + String.join("\n", rows) + "\n");
    return DecodedTrace.read(file, ReadOptions.DEFAULT, false);
  }

  private static LayoutSearch.Builder search(DecodedTrace... traces) {
    return LayoutSearch.of(List.of(traces)).budget(LONG).evaluations(700);
  }

  private static List<PoolLayout> layouts(List<Scored> scored) {
    return scored.stream().map(Scored::layout).toList();
  }

  @Test
  void theSameSeedAndEvaluationsGiveTheSameOnAnyNumberOfThreads() throws IOException {
    DecodedTrace trace = own("cpu-pt-gnn-train");
    SearchReport one = search(trace).seed(5).threads(1).build().run().orElseThrow();
    SearchReport three = search(trace).seed(5).threads(3).build().run().orElseThrow();
    assertThat(one.evaluations()).isEqualTo(700);
    assertThat(one.end()).isEqualTo(SearchReport.End.EVALUATIONS);
    assertThat(three.evaluations()).isEqualTo(one.evaluations());
    assertThat(layouts(three.front())).isEqualTo(layouts(one.front()));
    assertThat(three.best().layout()).isEqualTo(one.best().layout());
    assertThat(three.best().traces()).isEqualTo(one.best().traces());
    SearchReport other = search(trace).seed(6).build().run().orElseThrow();
    assertThat(layouts(other.front())).isNotEqualTo(layouts(one.front()));
  }

  @Test
  void theBestIsNearTheLowerBoundWithinTheCallsThatItMayTake() throws IOException {
    SearchReport report =
        search(own("cpu-pt-dcgan-train")).mostCalls(50).build().run().orElseThrow();
    assertThat(report.presets())
        .extracting(Scored::name)
        .containsExactly("sub-slices", "exclusive-pages");
    assertThat(report.presets()).allMatch(preset -> preset.ratio() > 1.2);
    assertThat(report.best().ratio()).isBetween(1.0, 1.1);
    assertThat(report.best().calls()).isBetween(1L, 50L);
    assertThat(report.front()).contains(report.best());
  }

  @Test
  void nothingOnTheFrontBeatsAnother() throws IOException {
    SearchReport report = search(own("cpu-pt-gnn-train")).build().run().orElseThrow();
    for (int i = 1; i < report.front().size(); i++) {
      Scored before = report.front().get(i - 1);
      Scored after = report.front().get(i);
      assertThat(after.ratio()).isGreaterThan(before.ratio());
      assertThat(after.calls()).isLessThan(before.calls());
    }
    assertThat(report.front()).hasSizeBetween(2, 12).allMatch(Scored::isGood);
    assertThat(report.front()).allMatch(layout -> layout.nanosPerOperation().isPresent());
  }

  /** The figures are those of a replay of the written entries. */
  @Test
  void theFiguresAreThoseOfAReplay() throws IOException {
    DecodedTrace trace = own("cpu-pt-mix-threads");
    Scored best = search(trace).evaluations(400).build().run().orElseThrow().best();
    try (SimulatedStorage device = SimulatedStorage.open(StorageOptions.DEFAULT)) {
      ReplayReport.Figures figures = trace.replay(device, best.layout().config()).figures();
      OnTrace found = best.traces().getFirst();
      assertThat(found.peakReserved()).isEqualTo(figures.peakReserved());
      assertThat(found.driverCalls()).isEqualTo(figures.driverCalls());
      assertThat(found.lowerBound()).isEqualTo(trace.lowerBound(256));
    }
  }

  @Test
  void severalTracesShareALayoutAndOthersTryIt() throws IOException {
    DecodedTrace unseen = own("cpu-pt-gpt-train");
    SearchReport report =
        search(own("cpu-pt-gnn-train"), own("cpu-pt-dcgan-train"))
            .validation(List.of(unseen))
            .evaluations(600)
            .build()
            .run()
            .orElseThrow();
    List<OnTrace> traces = report.best().traces();
    assertThat(traces).hasSize(2);
    assertThat(report.best().ratio())
        .isCloseTo(Math.sqrt(traces.get(0).ratio() * traces.get(1).ratio()), within(1e-9));
    assertThat(report.best().calls())
        .isEqualTo(Math.max(traces.get(0).driverCalls(), traces.get(1).driverCalls()));
    Scored validation = report.validation().orElseThrow();
    assertThat(validation.layout()).isEqualTo(report.best().layout());
    assertThat(validation.isGood()).isTrue();
    assertThat(validation.traces())
        .singleElement()
        .satisfies(
            on -> {
              assertThat(on.trace()).isEqualTo(unseen.name());
              assertThat(on.ratio()).isGreaterThanOrEqualTo(1);
            });
  }

  @Test
  void theTimeLimitEndsItAndTheNumberOfEvaluationsRepeatsIt() throws IOException {
    DecodedTrace trace = own("cpu-pt-gnn-train");
    SearchReport report =
        search(trace)
            .evaluations(Integer.MAX_VALUE)
            .budget(Duration.ofMillis(300))
            .build()
            .run()
            .orElseThrow();
    assertThat(report.end()).isEqualTo(SearchReport.End.TIME);
    SearchReport again =
        search(trace).evaluations(report.evaluations()).build().run().orElseThrow();
    assertThat(again.best().layout()).isEqualTo(report.best().layout());
  }

  @Test
  void interruptedItTellsWhatItFound() throws IOException {
    AtomicReference<LayoutSearch> search = new AtomicReference<>();
    LayoutSearch.Builder described =
        search(own("cpu-pt-gnn-train"))
            .progress(
                (done, of) -> {
                  if (done >= 100) {
                    search.get().interrupt();
                  }
                });
    search.set(described.build());
    SearchReport report = search.get().run().orElseThrow();
    assertThat(report.end()).isEqualTo(SearchReport.End.INTERRUPTED);
    assertThat(report.evaluations()).isBetween(100, 200);
    assertThat(report.best().isGood()).isTrue();
  }

  @Test
  void interruptedAtOnceItHasNothing() throws IOException {
    LayoutSearch search = search(own("cpu-pt-gnn-train")).build();
    search.interrupt();
    assertThat(search.run()).isEmpty();
  }

  @Test
  void whatNoLayoutServesHasNoBest() throws IOException {
    DecodedTrace trace = rows("alloc,0,2000000,0,0");
    StorageOptions small = StorageOptions.DEFAULT.withCapacity(MemorySize.ofMiB(1));
    assertThat(search(trace).device(small).build().run()).isEmpty();
  }

  @Test
  void tracesWithoutBytesOrRowsHaveALayoutAsWell() throws IOException {
    for (DecodedTrace trace : List.of(rows("alloc,0,0,0,0"), rows())) {
      SearchReport report = search(trace).evaluations(300).build().run().orElseThrow();
      assertThat(report.best().ratio()).isEqualTo(1);
      assertThat(report.best().calls()).isZero();
    }
  }

  /** Written as files, these are read and resolve again: no entry that can't work is searched. */
  @Test
  void alignmentsAreKept() throws IOException {
    SearchReport report =
        search(own("cpu-pt-gnn-train"))
            .device(StorageOptions.DEFAULT.withByteAlignment(4096))
            .evaluations(600)
            .build()
            .run()
            .orElseThrow();
    assertThat(report.byteAlignment()).isEqualTo(4096);
    for (Scored layout : report.front()) {
      for (ResolvedPool pool : layout.layout().pools()) {
        if (pool instanceof ResolvedPool.Sliced sliced) {
          assertThat(sliced.pageByteSize() % 4096).isZero();
        }
      }
    }
  }

  @Test
  void wrongNumbersAreRefused() throws IOException {
    LayoutSearch.Builder search = search(rows());
    assertThatThrownBy(() -> LayoutSearch.of(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> search.evaluations(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> search.mostCalls(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> search.threads(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> search.budget(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
