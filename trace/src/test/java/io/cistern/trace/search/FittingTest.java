package io.cistern.trace.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.InstanceOfAssertFactories.DOUBLE;
import static org.assertj.core.api.InstanceOfAssertFactories.INTEGER;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.MemoryPoolsConfig.Preset;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageOptions;
import io.cistern.trace.ReadOptions;
import io.cistern.trace.replay.DecodedTrace;
import io.cistern.trace.report.FitReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class FittingTest {

  private static final NamedLayout PAGES =
      new NamedLayout(
          "pages",
          MemoryPoolsConfig.of(
              MemoryPoolConfig.sliced(MemorySize.ofMiB(4)), MemoryPoolConfig.direct()));

  private static DecodedTrace trace;

  @BeforeAll
  static void read() throws IOException {
    trace =
        DecodedTrace.read(
            Path.of("..", "traces", "cpu-pt-dcgan-train.csv.gz"), ReadOptions.DEFAULT, false);
  }

  private static FitReport fit(long memory, NamedLayout... layouts) throws IOException {
    return new Fitting(
            trace, MemorySize.of(memory), StorageOptions.DEFAULT, List.of(layouts), 2, (_, _) -> {})
        .run();
  }

  private static long refused(MemoryPoolsConfig pools, long capacity) {
    try (SimulatedStorage device = SimulatedStorage.withCapacity(MemorySize.of(capacity))) {
      return trace.replay(device, pools).figures().refused();
    }
  }

  /** Enough, too little, and hardly anything: the smallest memory is the same. */
  @Test
  void theSmallestMemoryServesAndTheNextSmallerOneDoesNot() throws IOException {
    long step = Math.max(64 << 10, trace.lowerBound(256) / 1024);
    long enough = fit(1L << 30, PAGES).smallest().orElseThrow().smallest().orElseThrow();
    assertThat(enough).isBetween(trace.lowerBound(256), 1L << 30);
    assertThat(refused(PAGES.pools(), enough)).isZero();
    assertThat(refused(PAGES.pools(), enough - step)).isPositive();
    long fromBelow = fit(1 << 20, PAGES).smallest().orElseThrow().smallest().orElseThrow();
    assertThat(refused(PAGES.pools(), fromBelow)).isZero();
    assertThat(refused(PAGES.pools(), fromBelow - step)).isPositive();
  }

  @Test
  void whatFitsHasRoomAndComesFirst() throws IOException {
    FitReport report = fit(100L << 20, new NamedLayout("sub-slices", Preset.SUB_SLICES), PAGES);
    assertThat(report.rows())
        .extracting(FitReport.Row::name)
        .containsExactly("pages", "sub-slices");
    assertThat(report.rows()).extracting(FitReport.Row::fits).containsExactly(true, false);
    FitReport.Row best = report.best().orElseThrow();
    assertThat(best.peakReserved()).isLessThanOrEqualTo(report.memory());
    FitReport.Row preset = report.rows().getLast();
    assertThat(preset.refused()).isPositive();
    assertThat(preset.firstRefusal().orElseThrow().reason()).contains("bytes");
    assertThat(preset.smallest().orElseThrow()).isGreaterThan(report.memory());
  }

  @Test
  void withoutLayoutsThePresetsAndTheBestOfEachKindAreTried() throws IOException {
    FitReport report = fit(100L << 20);
    assertThat(report.rows())
        .extracting(FitReport.Row::name)
        .contains("sub-slices", "exclusive-pages", "one page", "equal pages")
        .doesNotHaveDuplicates();
    assertThat(report.best().orElseThrow().peakReserved())
        .isLessThan(trace.lowerBound(256) * 11 / 10);
    assertThat(report.lowerBound()).isEqualTo(trace.lowerBound(256));
  }

  @Test
  void nothingFitsBelowTheLowerBound() throws IOException {
    FitReport report = fit(trace.lowerBound(256) - 1);
    assertThat(report.best()).isEmpty();
    assertThat(report.smallest().orElseThrow().smallest().orElseThrow())
        .isGreaterThanOrEqualTo(report.lowerBound());
  }

  @Test
  void itTellsHowFarItIs() throws IOException {
    List<Double> shares = new ArrayList<>();
    List<Integer> replays = new ArrayList<>();
    new Fitting(
            trace,
            MemorySize.ofGiB(1),
            StorageOptions.DEFAULT,
            List.of(PAGES),
            2,
            (share, count) -> {
              shares.add(share);
              replays.add(count);
            })
        .run();
    assertThat(shares).isSorted().last(DOUBLE).isEqualTo(1, within(1e-9));
    assertThat(replays).isSorted().last(INTEGER).isGreaterThan(2);
  }

  @Test
  void interruptedItStillTellsWhatFits() throws IOException {
    Fitting fitting =
        new Fitting(
            trace, MemorySize.ofGiB(1), StorageOptions.DEFAULT, List.of(PAGES), 1, (_, _) -> {});
    fitting.interrupt();
    FitReport report = fitting.run();
    assertThat(report.interrupted()).isTrue();
    assertThat(report.best().orElseThrow().name()).isEqualTo("pages");
    assertThat(report.best().orElseThrow().smallest()).isEmpty();
  }
}
