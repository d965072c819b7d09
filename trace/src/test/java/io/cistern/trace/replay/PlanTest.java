package io.cistern.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.layout.ResolvedPool;
import io.cistern.storage.CountingStorage;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageOptions;
import io.cistern.trace.report.PlanJson;
import io.cistern.trace.report.PlanReport;
import io.cistern.trace.report.ReplayReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanTest {

  /** Pages of 4 KiB for slices up to 1 KiB, of 16 KiB up to 8 KiB, and pages of their own. */
  private static final MemoryPoolsConfig POOLS =
      MemoryPoolsConfig.of(
          MemoryPoolConfig.sliced(MemorySize.ofKiB(4)).withMaxSliceSize(MemorySize.ofKiB(1)),
          MemoryPoolConfig.sliced(MemorySize.ofKiB(16)).withMaxSliceSize(MemorySize.ofKiB(8)),
          MemoryPoolConfig.exclusive(MemorySize.ofKiB(64)));

  private static final String[] TWO_STREAMS = {
    "alloc,0,1000,0,0",
    "alloc,1,4000,0,0", // nearly a page of pool 0, which takes it uncapped; planned, pool 1 does
    "alloc,2,8000,5,0",
    "alloc,3,8000,5,0",
    "alloc,4,8000,5,0", // a second page of pool 1
    "free,1,4000,0,0",
    "alloc,5,0,0,0",
    "alloc,6,30000,5,0",
  };

  @TempDir private Path folder;

  private final List<CountingStorage> devices = new ArrayList<>();

  private CountingStorage device(MemorySize capacity) {
    devices.add(
        new CountingStorage(
            SimulatedStorage.open(
                StorageOptions.DEFAULT.withByteAlignment(256).withCapacity(capacity))));
    return devices.getLast();
  }

  private Path trace(String... rows) throws IOException {
    String text = "op,id,size,stream,time_us\n" + String.join("\n", rows) + "\n";
    return Files.writeString(folder.resolve("t.csv"), text);
  }

  private Replay.Builder replay(Path trace) {
    return Replay.of(trace).devices(() -> device(MemorySize.ofMiB(1))).pools(POOLS);
  }

  private PlanReport planned(String... rows) throws IOException {
    return replay(trace(rows)).plan().run().orElseThrow();
  }

  private static List<Long> caps(List<ResolvedPool> pools) {
    return pools.stream()
        .map(pool -> pool instanceof ResolvedPool.Sliced sliced ? sliced.maxPages() : null)
        .map(pages -> pages == null ? -1 : pages.orElse(0))
        .toList();
  }

  @Test
  void eachStreamFitsItsOwnPeaksAndTheLayoutTheLargest() throws IOException {
    PlanReport report = planned(TWO_STREAMS);
    assertThat(report.fits()).isTrue();
    assertThat(report.placedAlike()).isTrue();
    assertThat(caps(report.layout().pools())).containsExactly(1L, 2L, -1L);
    assertThat(
            caps(report.replayed().pools().stream().map(pool -> pool.report().config()).toList()))
        .containsExactly(1L, 1L, -1L, 1L, 2L, -1L);
    assertThat(report.replayed().pools())
        .extracting(pool -> pool.report().served())
        .containsExactly(2L, 1L, 0L, 0L, 3L, 1L);
    assertThat(report.peakPagesByteSize()).isEqualTo((4 + 16 + 2 * 16) << 10);
    assertThat(report.cappedByteSize()).isEqualTo((4 + 16 + 4 + 2 * 16) << 10);
    assertThat(report.replayed().overhead()).hasValue(report.measured().overhead().orElseThrow());
    assertThat(report.subject().layout()).isEqualTo("explicit");
  }

  @Test
  void measuringTakesNoMemory() throws IOException {
    planned(TWO_STREAMS);
    assertThat(devices).extracting(CountingStorage::allocations).containsExactly(0L, 5L);
  }

  @Test
  void theLayoutIsOneForAllStreams() throws IOException {
    PlanReport report = planned(TWO_STREAMS);
    ReplayReport.Figures figures =
        replay(trace(TWO_STREAMS)).pools(report.layout().config()).build().run().figures();
    assertThat(figures.isGood()).isTrue();
    assertThat(figures.spills()).isZero();
    assertThat(figures.peakReserved()).isEqualTo(report.replayed().peakReserved());
  }

  @Test
  void whatTheDeviceHasNoMemoryForDoesNotFit() throws IOException {
    Path trace = trace("alloc,0,1000,0,0", "alloc,1,5000,0,0");
    Optional<PlanReport> report =
        replay(trace).devices(() -> device(MemorySize.ofKiB(19))).plan().run();
    assertThat(report).hasValueSatisfying(plan -> assertThat(plan.fits()).isFalse());
    assertThat(report.orElseThrow().measured().refused()).isZero();
    assertThat(report.orElseThrow().replayed().refused()).isEqualTo(1);
    assertThat(report.orElseThrow().placedAlike()).isFalse();
  }

  @Test
  void whatNoPoolAcceptsDoesNotFit() throws IOException {
    PlanReport report = planned("alloc,0,1000,0,0", "alloc,1,66000,0,0");
    assertThat(report.fits()).isFalse();
    assertThat(report.placedAlike()).isTrue();
    assertThat(report.measured().refused()).isEqualTo(1);
    assertThat(report.replayed().firstRefusal()).isPresent();
  }

  /** Each is served below the caps, but one request elsewhere than it was measured. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "alloc,0,500,0,0\nalloc,1,500,0,0\nfree,0,500,0,0\nalloc,2,5000,0,0", // other pool
        "alloc,0,500,0,0\nalloc,1,500,0,0\nalloc,2,500,0,0\nfree,0,500,0,0", // other offset
        "alloc,0,500,0,0\nfree,0,500,0,0\nalloc,1,500,0,0", // other number of requests
      })
  void placesThatDifferShow(String changed) throws IOException {
    Path trace = trace("alloc,0,500,0,0", "alloc,1,500,0,0", "free,0,500,0,0", "alloc,2,500,0,0");
    Replay.Builder replay =
        replay(trace)
            .devices(
                () -> {
                  try {
                    if (!devices.isEmpty()) {
                      trace(changed);
                    }
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                  return device(MemorySize.ofMiB(1));
                });
    PlanReport report = replay.plan().run().orElseThrow();
    assertThat(report.replayed().refused()).isZero();
    assertThat(report.placedAlike()).isFalse();
    assertThat(report.fits()).isFalse();
  }

  @Test
  void anEmptyTraceNeedsNothing() throws IOException {
    PlanReport report = planned();
    assertThat(report.fits()).isTrue();
    assertThat(caps(report.layout().pools())).containsExactly(1L, 1L, -1L);
    assertThat(report.cappedByteSize()).isZero();
    assertThat(PlanJson.of(report)).contains("\"overhead\" : null", "\"pools\" : [ ]");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void anInterruptedPlanIsNone(int pass) throws IOException {
    Plan[] self = new Plan[1];
    self[0] =
        replay(trace(TWO_STREAMS))
            .progress(
                (present, byteCount, operations) -> {
                  if (present == pass) {
                    self[0].interrupt();
                  }
                })
            .plan();
    assertThat(self[0].run()).isEmpty();
    assertThat(devices).hasSize(pass + 1);
  }

  @Test
  void aPlanIsNeitherTouchedNorRepeated() throws IOException {
    Path trace = trace();
    assertThatThrownBy(() -> replay(trace).touch(true).plan())
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> replay(trace).repeat(2, Duration.ZERO).plan())
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theReportAsJson() throws IOException {
    String json = PlanJson.of(planned("alloc,0,1000,0,0", "free,0,1000,0,0"));
    assertThat(json.replace(folder.resolve("t.csv").toString(), "t.csv"))
        .startsWith(
            """
            {
              "trace" : "t.csv",
              "device" : "simulated device",
              "layout" : "explicit",
              "alignment" : 256,
              "maxPageSize" : 262144,
              "fits" : true,
              "placedAlike" : true,
              "peakPages" : 4096,
              "capped" : 20480,
              "streams" : 1,
              "operations" : 2,
              "allocations" : 1,
              "frees" : 1,
              "refused" : 0,
              "skipped" : 0,
              "peakInUse" : 1000,
              "peakReserved" : 4096,
              "peakPadding" : 24,
              "recordedPeak" : null,
              "recordedUnseen" : null,
              "overhead" : 4.096,
              "end" : {
                "allocations" : 0,
                "inUse" : 0,
                "reserved" : 4096
              },
              "deviceAllocations" : 1,
              "deviceFrees" : 0,
              "spills" : 0,
              "measured" : {
                "refused" : 0,
                "peakInUse" : 1000,
                "peakReserved" : 4096,
                "deviceAllocations" : 0
              },
              "plannedPools" : [
                {
                  "index" : 0,
                  "type" : "sliced",
                  "config" : {
                    "page_size" : 4096,
                    "max_slice_size" : 1024,
                    "max_pool_size" : 4096
                  }
                },
            """)
        .contains("\"pools\" : [\n    {\n      \"stream\" : 0,\n      \"index\" : 0,");
  }
}
