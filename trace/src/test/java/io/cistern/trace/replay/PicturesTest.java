package io.cistern.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageOptions;
import io.cistern.trace.Origin;
import io.cistern.trace.picture.Curves;
import io.cistern.trace.picture.Curves.Series;
import io.cistern.trace.picture.MemoryMap;
import io.cistern.trace.picture.MemoryMap.Large;
import io.cistern.trace.picture.MemoryMap.Moment;
import io.cistern.trace.picture.MemoryMap.Run;
import io.cistern.trace.report.ReplayReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PicturesTest {

  private static final MemoryPoolsConfig POOLS =
      MemoryPoolsConfig.of(
          MemoryPoolConfig.sliced(MemorySize.ofKiB(16)).withMaxSliceSize(MemorySize.ofKiB(1)),
          MemoryPoolConfig.exclusive(MemorySize.ofKiB(8)).withDeallocPeriod(20),
          MemoryPoolConfig.direct());

  @TempDir private Path folder;

  private final Curves curves = new Curves();
  private final MemoryMap map = new MemoryMap();

  private Path trace(String rows) throws IOException {
    return Files.writeString(
        folder.resolve("t.csv"), "op,id,size,stream,time_us,reserved\n" + rows);
  }

  private static Storage simulated() {
    return SimulatedStorage.open(
        StorageOptions.DEFAULT.withByteAlignment(256).withCapacity(MemorySize.ofKiB(400)));
  }

  private Replay.Builder drawn(Path trace) {
    return Replay.of(trace).devices(PicturesTest::simulated).pools(POOLS).curves(curves).map(map);
  }

  private ReplayReport replay(Path trace) throws IOException {
    return drawn(trace).build().run();
  }

  /** More than one chunk, some of it refused, zero-sized, or on other streams. */
  private Path randomTrace(long seed) throws IOException {
    Random random = new Random(seed);
    StringBuilder rows = new StringBuilder();
    List<long[]> live = new ArrayList<>();
    long next = 0;
    for (int i = 0; i < 150_000; i++) {
      if (random.nextInt(100) < (live.size() > 100 ? 60 : 45) && !live.isEmpty()) {
        long[] old = live.remove(random.nextInt(live.size()));
        rows.append("free,%d,%d,0,%d,%d\n".formatted(old[0], old[1], i, i * 3L));
      } else {
        int size =
            random.nextInt(50) == 0 ? 0 : random.nextInt(random.nextInt(4) == 0 ? 20_000 : 900);
        rows.append("alloc,%d,%d,%d,%d,%d\n".formatted(next, size, random.nextInt(2), i, i * 3L));
        live.add(new long[] {next++, size});
      }
    }
    return trace(rows.toString());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void thePicturesAgreeWithTheFigures(long seed) throws IOException {
    ReplayReport.Figures figures = replay(randomTrace(seed)).figures();
    assertThat(figures.refused()).isPositive();
    assertThat(curves.rows()).isEqualTo(figures.operations());
    assertThat(curves.peak(Series.RESERVED)).isEqualTo(figures.peakReserved());
    assertThat(curves.peak(Series.IN_USE)).isEqualTo(figures.peakInUse());
    assertThat(curves.peak(Series.PADDING)).isEqualTo(figures.peakPadding());
    assertThat(curves.peak(Series.RECORDED)).isEqualTo(149_999 * 3L);
    assertThat(map.moments())
        .hasSizeBetween(MapRecording.MOMENTS, MapRecording.MOMENTS + 2)
        .isSortedAccordingTo(Comparator.comparingLong(Moment::row))
        .allSatisfy(PicturesTest::checkSums);
    assertThat(map.moments())
        .filteredOn(moment -> moment.row() == curves.peakRow(Series.IN_USE))
        .singleElement()
        .extracting(Moment::inUse)
        .isEqualTo(figures.peakInUse());
    Moment last = map.moments().getLast();
    assertThat(last.row()).isEqualTo(figures.operations());
    assertThat(last.inUse()).isEqualTo(figures.end().inUse());
    assertThat(last.reserved()).isEqualTo(figures.end().reserved());
  }

  private static void checkSums(Moment moment) {
    assertThat(moment.inUse() + moment.padding() + moment.rest() + moment.free())
        .isEqualTo(moment.reserved());
    assertThat(moment.largestFree()).isLessThanOrEqualTo(moment.free());
  }

  @Test
  void theLargestAllocationsHaveTheirLifetimes() throws IOException {
    replay(
        trace(
            """
            alloc,0,1000,0,10,
            alloc,1,9000,3,20,
            alloc,2,5000,0,30,
            free,1,9000,3,50,
            alloc,3,5000,0,60,
            """));
    assertThat(map.largest())
        .containsExactly(
            new Large(9000, 1, 3, map.pool(3, 2), 2, 20, 4, 50, null),
            new Large(5000, 2, 4, map.pool(0, 1), 3, 30, 0, 0, null),
            new Large(5000, 3, 6, map.pool(0, 1), 5, 60, 0, 0, null),
            new Large(1000, 0, 2, map.pool(0, 0), 1, 10, 0, 0, null));
  }

  @Test
  void tagsOfTheTraceAreOnTheMap() throws IOException {
    Path trace = folder.resolve("tags.csv");
    Files.writeString(
        trace,
        """
        op,id,size,tag
        alloc,0,1000,weights
        alloc,1,900,"a cache"
        alloc,2,5000,
        free,0,1000,weights
        """);
    replay(trace);
    assertThat(map.tags()).containsExactly("weights", "a cache");
    assertThat(map.largest())
        .extracting(Large::origin)
        .containsExactly(null, new Origin("weights", ""), new Origin("a cache", ""));
    assertThat(map.moments().getLast().runs())
        .filteredOn(run -> run.slices() > 0)
        .extracting(Run::tag)
        .containsExactlyInAnyOrder(1, MemoryMap.NO_TAG);
  }

  @Test
  void ofManyTheLargestAreKept() throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      rows.append("alloc,%d,%d,0,0,\n".formatted(i, (i * 37) % 200));
    }
    replay(trace(rows.toString()));
    assertThat(map.largest())
        .extracting(Large::byteSize)
        .hasSize(LargestAllocations.MOST)
        .startsWith(199L, 198L)
        .endsWith(151L, 150L);
  }

  @Test
  void picturesChangeNoFigure() throws IOException {
    Path trace = randomTrace(4);
    ReplayReport.Figures plain =
        Replay.of(trace).devices(PicturesTest::simulated).pools(POOLS).build().run().figures();
    assertThat(replay(trace).figures()).isEqualTo(plain);
  }

  @Test
  void anInterruptedReplayHasTheCurvesUpToThere() throws IOException {
    Path trace = randomTrace(5);
    Replay[] running = new Replay[1];
    running[0] = drawn(trace).progress((pass, bytes, operations) -> running[0].interrupt()).build();
    ReplayReport report = running[0].run();
    assertThat(report.interrupted()).isTrue();
    assertThat(curves.rows()).isEqualTo(report.figures().operations()).isLessThan(150_000);
    assertThat(curves.peak(Series.IN_USE)).isEqualTo(report.figures().peakInUse());
    assertThat(map.moments()).isEmpty();
  }

  @Test
  void anInterruptedMapIsOneOfAnInterruptedReplay() throws IOException {
    Path trace = randomTrace(6);
    Replay[] running = new Replay[1];
    running[0] =
        drawn(trace)
            .progress(
                (pass, bytes, operations) -> {
                  if (pass == 1) {
                    running[0].interrupt();
                  }
                })
            .build();
    assertThat(running[0].run().interrupted()).isTrue();
    assertThat(map.moments()).hasSizeBetween(1, MapRecording.MOMENTS - 1);
  }

  @Test
  void aMapNeedsCurves() throws IOException {
    Replay.Builder builder =
        Replay.of(trace("")).devices(PicturesTest::simulated).pools(POOLS).map(map);
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a map needs curves, which tell where the peaks are");
  }
}
