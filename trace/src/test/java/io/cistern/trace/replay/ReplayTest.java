package io.cistern.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.Feature;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageOptions;
import io.cistern.trace.TraceException;
import io.cistern.trace.report.ReplayReport;
import io.cistern.trace.report.ReportJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplayTest {

  private static final Set<Feature> SEEN = Set.of(Feature.HOST_ACCESS, Feature.COPY);

  /** Pages of 4 KiB for slices up to 1 KiB, blocks of their own for the rest up to 8 KiB. */
  private static final MemoryPoolsConfig POOLS =
      MemoryPoolsConfig.of(
          MemoryPoolConfig.sliced(MemorySize.ofKiB(4))
              .withMaxSliceSize(MemorySize.ofKiB(1))
              .withMaxPoolSize(MemorySize.ofKiB(4)),
          MemoryPoolConfig.exclusive(MemorySize.ofKiB(8)).withDeallocPeriod(0));

  @TempDir private Path folder;

  private Path trace(String... rows) throws IOException {
    String text = "op,id,size,stream,time_us\n" + String.join("\n", rows) + "\n";
    return Files.writeString(folder.resolve("t.csv"), text);
  }

  private static Storage simulated() {
    return SimulatedStorage.open(
        StorageOptions.DEFAULT.withByteAlignment(256).withCapacity(MemorySize.ofKiB(20)));
  }

  private static Replay.Builder replay(Path trace, Supplier<Storage> devices) {
    return Replay.of(trace).devices(devices).pools(POOLS);
  }

  private static ReplayReport.Figures figures(Path trace) throws IOException {
    return replay(trace, ReplayTest::simulated).build().run().figures();
  }

  /** Worked out by hand from the contract. */
  @Test
  void theFiguresOfASmallTrace() throws IOException {
    ReplayReport.Figures figures =
        figures(
            trace(
                "alloc,0,1000,0,0", // pool 0, makes its page: reserved 4096
                "alloc,1,100,0,0", // pool 0: in use 1100, padding 24 + 156
                "alloc,2,5000,0,0", // pool 1, a block of 5120: reserved 9216, in use 6100
                "free,2,5000,0,0",
                "alloc,3,10,0,0", // gives the idle block back first: reserved 4096
                "free,0,1000,0,0"));
    assertThat(figures.streams()).isEqualTo(1);
    assertThat(figures.operations()).isEqualTo(6);
    assertThat(figures.allocations()).isEqualTo(4);
    assertThat(figures.frees()).isEqualTo(2);
    assertThat(figures.refused()).isZero();
    assertThat(figures.skipped()).isZero();
    assertThat(figures.peakInUse()).isEqualTo(6100);
    assertThat(figures.peakReserved()).isEqualTo(9216);
    assertThat(figures.peakPadding()).isEqualTo(24 + 156 + 246);
    assertThat(figures.overhead()).hasValue(9216.0 / 6100);
    assertThat(figures.end()).isEqualTo(new ReplayReport.End(2, 110, 4096));
    assertThat(figures.deviceAllocations()).isEqualTo(2);
    assertThat(figures.deviceFrees()).isEqualTo(1);
    assertThat(figures.spills()).isZero();
    assertThat(figures.isGood()).isTrue();
    assertThat(figures.pools()).extracting(pool -> pool.report().served()).containsExactly(3L, 1L);
  }

  @Test
  void theReportAsJsonIsTheSameButForTime() throws IOException {
    Path trace = trace("alloc,0,1000,0,0", "alloc,1,5000,3,0", "free,1,5000,0,0");
    String first = json(trace);
    assertThat(json(trace)).isEqualTo(first);
    assertThat(first)
        .isEqualTo(
            """
            {
              "trace" : "t.csv",
              "device" : "simulated device",
              "layout" : "explicit",
              "alignment" : 256,
              "maxPageSize" : 5120,
              "touched" : false,
              "interrupted" : false,
              "streams" : 2,
              "operations" : 3,
              "allocations" : 2,
              "frees" : 1,
              "refused" : 0,
              "skipped" : 0,
              "peakInUse" : 6000,
              "peakReserved" : 9216,
              "peakPadding" : 144,
              "recordedPeak" : null,
              "recordedUnseen" : null,
              "overhead" : 1.536,
              "end" : {
                "allocations" : 1,
                "inUse" : 1000,
                "reserved" : 9216
              },
              "deviceAllocations" : 2,
              "deviceFrees" : 0,
              "spills" : 0,
              "nanosPerOperation" : TIME,
              "mismatches" : 0,
              "pools" : [
                {
                  "stream" : 0,
                  "index" : 0,
                  "type" : "sliced",
                  "config" : {
                    "page_size" : 4096,
                    "max_slice_size" : 1024,
                    "max_pool_size" : 4096
                  },
                  "pages" : 1,
                  "pagesPeak" : 1,
                  "largestAlloc" : 1000,
                  "served" : 1,
                  "spills" : 0,
                  "inUse" : 1000,
                  "reserved" : 4096
                },
                {
                  "stream" : 0,
                  "index" : 1,
                  "type" : "exclusive",
                  "config" : {
                    "max_alloc_size" : 8192,
                    "dealloc_period" : 0
                  },
                  "pages" : 0,
                  "pagesPeak" : 0,
                  "largestAlloc" : 0,
                  "served" : 0,
                  "spills" : 0,
                  "inUse" : 0,
                  "reserved" : 0
                },
            """
                + first.substring(first.indexOf("    {\n      \"stream\" : 3")));
  }

  private String json(Path trace) throws IOException {
    return ReportJson.of(replay(trace, ReplayTest::simulated).build().run())
        .replace(trace.toString(), "t.csv")
        .replaceFirst("(?<=nanosPerOperation\" : )[0-9.E]+", "TIME");
  }

  @Test
  void anEmptyTraceHasNoRatios() throws IOException {
    ReplayReport report = replay(trace(), ReplayTest::simulated).build().run();
    assertThat(report.figures().overhead()).isEmpty();
    assertThat(report.nanosPerOperation()).isEmpty();
    assertThat(ReportJson.of(report))
        .contains("\"overhead\" : null", "\"nanosPerOperation\" : null", "\"pools\" : [ ]");
  }

  @Test
  void aFreeBelongsToTheStreamOfItsAllocation() throws IOException {
    ReplayReport.Figures figures =
        figures(
            trace("alloc,0,1000,5,0", "alloc,1,900,-7,0", "free,0,1000,-7,0", "free,1,900,99,0"));
    assertThat(figures.streams()).isEqualTo(2);
    assertThat(figures.end().allocations()).isZero();
    assertThat(figures.peakInUse()).isEqualTo(1900);
    assertThat(figures.pools())
        .extracting(ReplayReport.PoolFigures::stream)
        .containsExactly(-7, -7, 5, 5);
  }

  @Test
  void aRefusedRequestIsCountedAndItsFreeDoesNothing() throws IOException {
    ReplayReport.Figures figures =
        figures(
            trace(
                "alloc,0,1000,0,0",
                "alloc,1,9000,0,0", // no pool accepts it
                "alloc,2,8000,0,0",
                "alloc,3,8000,0,0",
                "alloc,4,8000,0,0", // beyond 20 KiB
                "free,1,9000,0,0",
                "free,4,8000,0,0",
                "alloc,5,0,0,0",
                "free,0,1000,0,0"));
    assertThat(figures.refused()).isEqualTo(2);
    assertThat(figures.allocations()).isEqualTo(6);
    assertThat(figures.frees()).isEqualTo(3);
    assertThat(figures.end().allocations()).isEqualTo(3);
    assertThat(figures.isGood()).isFalse();
    assertThat(figures.firstRefusal())
        .hasValueSatisfying(
            refusal -> {
              assertThat(refusal.line()).isEqualTo(3);
              assertThat(refusal.id()).isEqualTo(1);
              assertThat(refusal.byteSize()).isEqualTo(9000);
              assertThat(refusal.reason()).contains("9000", "8192");
            });
  }

  @Test
  void spillsAreCounted() throws IOException {
    String[] rows = new String[5];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = "alloc," + i + ",1024,0,0";
    }
    assertThat(figures(trace(rows)).spills()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "'alloc,0,1,0,0', repeated id 0: ids increase",
    "'free,0,1,0,0', id 0 is already freed",
    "'free,9,1,0,0', free of unknown id 9",
    "'alloc,9,-1,0,0', size -1 is negative",
  })
  void aBadRowEndsTheReplayOrIsCounted(String row, String reason) throws IOException {
    Path trace = trace("alloc,0,1,0,0", "free,0,1,0,0", row, "alloc,10,5,0,0");
    assertThatThrownBy(() -> figures(trace))
        .isInstanceOf(TraceException.class)
        .hasMessageStartingWith(trace + ":4: " + reason);
    ReplayReport.Figures figures =
        replay(trace, ReplayTest::simulated).lenient(true).build().run().figures();
    assertThat(figures.skipped()).isEqualTo(1);
    assertThat(figures.allocations()).isEqualTo(2);
    assertThat(figures.frees()).isEqualTo(1);
  }

  /** Longer than a chunk, so that slots and streams carry over. */
  @Test
  void chunksFollowEachOther() throws IOException {
    StringBuilder text = new StringBuilder("op,id,size,stream\n");
    int count = 3 * Chunk.MANY_ROWS;
    for (int i = 0; i < count; i++) {
      text.append("alloc,").append(i).append(",100,").append(i % 3).append('\n');
      if (i >= 10) {
        text.append("free,").append(i - 10).append(",100,0\n");
      }
    }
    Path trace = Files.writeString(folder.resolve("long.csv"), text);
    for (boolean touch : new boolean[] {false, true}) {
      ReplayReport.Figures figures =
          replay(trace, () -> new HeapStorage(false, SEEN)).touch(touch).build().run().figures();
      assertThat(figures.operations()).isEqualTo(2L * count - 10);
      assertThat(figures.end().allocations()).isEqualTo(10);
      assertThat(figures.peakInUse()).isEqualTo(1100);
      assertThat(figures.isGood()).isTrue();
    }
  }

  @Test
  void touchingFindsSlicesThatOverlap() throws IOException {
    Path trace = trace("alloc,0,2000,0,0", "alloc,1,3000,0,0", "free,0,2000,0,0", "alloc,2,10,0,0");
    for (Set<Feature> features : List.of(SEEN, Set.of(Feature.COPY))) {
      ReplayReport.Figures figures =
          replay(trace, () -> new HeapStorage(true, features)).touch(true).build().run().figures();
      assertThat(figures.isGood()).isFalse();
      assertThat(figures.mismatches()).isEqualTo(2);
      assertThat(figures.firstMismatch()).contains(new ReplayReport.Mismatch(2, 0, 2000, 0));
      Supplier<Storage> sound = () -> new HeapStorage(false, features);
      assertThat(replay(trace, sound).touch(true).build().run().figures().isGood()).isTrue();
    }
  }

  /** More than the buffer of copies holds, and no whole number of words. */
  @Test
  void copiesReachAllOfALargeSlice() throws IOException {
    Path trace = trace("alloc,0,600001,0,0", "alloc,1,5,0,0", "free,0,600001,0,0");
    Supplier<Storage> copied = () -> new HeapStorage(false, Set.of(Feature.COPY));
    MemoryPoolsConfig pools = MemoryPoolsConfig.of(MemoryPoolConfig.direct());
    ReplayReport.Figures figures =
        replay(trace, copied).pools(pools).touch(true).build().run().figures();
    assertThat(figures.isGood()).isTrue();
  }

  @Test
  void touchingNeedsMemory() throws IOException {
    Path trace = trace("alloc,0,2000,0,0");
    assertThatThrownBy(() -> replay(trace, ReplayTest::simulated).touch(true).build().run())
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("simulated device");
  }

  @Test
  void everyPassHasAFreshDevice() throws IOException {
    AtomicInteger devices = new AtomicInteger();
    Supplier<Storage> counted =
        () -> {
          devices.incrementAndGet();
          return simulated();
        };
    Path trace = trace("alloc,0,2000,0,0");
    ReplayReport report = replay(trace, counted).repeat(5, Duration.ZERO).build().run();
    assertThat(devices).hasValue(5);
    assertThat(report.timing().passes()).isEqualTo(5);
    assertThat(report.interrupted()).isFalse();
    long start = System.nanoTime();
    report = replay(trace, counted).repeat(1, Duration.ofMillis(50)).build().run();
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(50_000_000);
    assertThat(report.timing().passes()).isGreaterThan(1);
  }

  @Test
  void passesThatDifferAreADefect() throws IOException {
    AtomicInteger devices = new AtomicInteger();
    Supplier<Storage> changing =
        () ->
            SimulatedStorage.withCapacity(
                MemorySize.ofKiB(devices.incrementAndGet() == 1 ? 64 : 1));
    Path trace = trace("alloc,0,2000,0,0");
    assertThatThrownBy(() -> replay(trace, changing).repeat(2, Duration.ZERO).build().run())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("differ");
  }

  @Test
  void anInterruptedReplayTellsWhatItDid() throws IOException {
    StringBuilder text = new StringBuilder("op,id,size\n");
    int count = 4 * Chunk.MANY_ROWS;
    for (int i = 0; i < count; i++) {
      text.append("alloc,").append(i).append(",0\n");
    }
    Path trace = Files.writeString(folder.resolve("long.csv"), text);
    Replay[] self = new Replay[1];
    self[0] =
        replay(trace, ReplayTest::simulated)
            .progress((pass, byteCount, operations) -> self[0].interrupt())
            .build();
    ReplayReport report = self[0].run();
    assertThat(report.interrupted()).isTrue();
    assertThat(report.figures().allocations()).isEqualTo(Chunk.MANY_ROWS);
    assertThat(report.figures().end().allocations()).isEqualTo(Chunk.MANY_ROWS);
    assertThat(ReportJson.of(report)).contains("\"interrupted\" : true");
  }

  @Test
  void interruptedBetweenPassesAWholePassIsTold() throws IOException {
    Path trace = trace("alloc,0,2000,0,0");
    Replay[] self = new Replay[1];
    self[0] =
        replay(trace, ReplayTest::simulated)
            .repeat(1, Duration.ofHours(1))
            .progress(
                (pass, byteCount, operations) -> {
                  if (pass == 3) {
                    self[0].interrupt();
                  }
                })
            .build();
    ReplayReport report = self[0].run();
    assertThat(report.interrupted()).isTrue();
    assertThat(report.timing().passes()).isBetween(3, 4);
    assertThat(report.figures().allocations()).isEqualTo(1);
  }
}
