package io.cistern.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.Allocation;
import io.cistern.manager.DeviceMemory;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.MemoryListener;
import io.cistern.storage.SimulatedStorage;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import jdk.jfr.FlightRecorder;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What memory is used for shows each period, as long as there is something to show. */
class UsageWatchTest {

  private static final MemoryPoolsConfig POOLS =
      MemoryPoolsConfig.of(MemoryPoolConfig.sliced(MemorySize.ofKiB(64)));

  private final SimulatedStorage device = SimulatedStorage.withCapacity(MemorySize.ofMiB(1));
  private final MemoryFlightRecorder recorder = MemoryFlightRecorder.basic("weights");
  private MemoryManager stream;

  @AfterEach
  void closeDevice() {
    device.close();
  }

  private MemoryManager open(MemoryListener listener) {
    return MemoryManager.builder(device).pools(POOLS).listener(listener).open();
  }

  private static List<String> managers(List<RecordedEvent> events) {
    return events.stream().map(event -> event.getString("manager")).toList();
  }

  @Test
  void usageWithItsPeaks() {
    try (MemoryManager manager = open(recorder)) {
      recorder.watch(manager);
      manager.allocate(1000).close();
      List<RecordedEvent> events;
      try (Allocation live = manager.allocate(100)) {
        events = Recorded.usageAfter(() -> assertThat(live.isAlive()).isTrue());
      }
      assertThat(events).hasSize(1);
      RecordedEvent usage = events.getFirst();
      assertThat(Recorded.name(usage)).isEqualTo("MemoryUsage");
      assertThat(usage.getString("manager")).isEqualTo("weights");
      assertThat(usage.getLong("allocations")).isEqualTo(1);
      assertThat(usage.getLong("inUse")).isEqualTo(100);
      assertThat(usage.getLong("padding")).isEqualTo(156);
      assertThat(usage.getLong("reserved")).isEqualTo(64 * 1024);
      assertThat(usage.getLong("pending")).isZero();
      assertThat(usage.getLong("pinned")).isZero();
      assertThat(usage.getLong("allocationsPeak")).isEqualTo(1);
      assertThat(usage.getLong("inUsePeak")).isEqualTo(1000);
      assertThat(usage.getLong("paddingPeak")).isEqualTo(156);
      assertThat(usage.getLong("reservedPeak")).isEqualTo(64 * 1024);
      assertThat(usage.getStackTrace()).isNull();
    }
  }

  @Test
  @Timeout(60)
  void usageComesAgainEachPeriod() throws InterruptedException {
    try (MemoryManager manager = open(recorder);
        RecordingStream stream = new RecordingStream()) {
      recorder.watch(manager);
      CountDownLatch seen = new CountDownLatch(3);
      stream.enable("io.cistern.MemoryUsage").with("period", "10 ms");
      stream.onEvent("io.cistern.MemoryUsage", event -> seen.countDown());
      stream.startAsync();
      seen.await();
    }
  }

  @Test
  void eachManagerHasItsOwnEvent() {
    MemoryFlightRecorder otherRecorder = MemoryFlightRecorder.basic("activations");
    try (MemoryManager other = open(otherRecorder)) {
      otherRecorder.watch(other);
      try (MemoryManager one = open(recorder)) {
        recorder.watch(one);
        assertThat(managers(Recorded.usageAfter(() -> {})))
            .containsExactlyInAnyOrder("weights", "activations");
      }
      assertThat(managers(Recorded.usageAfter(() -> {}))).containsExactly("activations");
    }
  }

  @Test
  void aClosedManagerIsNotRecorded() {
    MemoryManager manager = open(recorder.andThen(event -> {}));
    UsageWatch watch = recorder.watch(manager);
    manager.close();
    assertThat(UsageWatches.contains(watch)).isFalse();
    assertThat(FlightRecorder.removePeriodicEvent(UsageWatches.HOOK)).isFalse();
    assertThat(Recorded.usageAfter(() -> {})).isEmpty();
    watch.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> recorder.watch(manager))
        .withMessage(
            "the memory manager of the recorder \"weights\" is closed, so it can't be watched");
  }

  @Test
  void aClosedWatchEndsAndAnotherMayFollow() {
    try (MemoryManager manager = open(recorder)) {
      UsageWatch watch = recorder.watch(manager);
      assertThatIllegalStateException()
          .isThrownBy(() -> recorder.watch(manager))
          .withMessage(
              "the recorder \"weights\" watches a manager already; each manager has its own");
      watch.close();
      watch.close();
      assertThat(Recorded.usageAfter(() -> {})).isEmpty();
      recorder.watch(manager);
      assertThat(Recorded.usageAfter(() -> {})).hasSize(1);
    }
  }

  @Test
  void aStreamOfADeviceMemoryIsRecordedUntilItsWatchIsClosed() {
    try (UsageWatch watch = watchClosedStream()) {
      List<RecordedEvent> events =
          Recorded.usageAfter(() -> assertThat(UsageWatches.contains(watch)).isTrue());
      assertThat(events).hasSize(1);
      assertThat(events.getFirst().getLong("reserved")).isZero();
      assertThat(events.getFirst().getLong("reservedPeak")).isEqualTo(64 * 1024);
    }
    assertThat(Recorded.usageAfter(() -> {})).isEmpty();
  }

  /** The recorder does not hear that this manager is closed, and the field keeps it alive. */
  private UsageWatch watchClosedStream() {
    try (DeviceMemory memory = DeviceMemory.open(device, POOLS)) {
      stream = memory.stream(3);
      stream.allocate(100).close();
      return recorder.watch(stream);
    }
  }

  @Test
  @Timeout(60)
  void aWatchKeepsNoManagerAlive() {
    WeakReference<MemoryManager> forgotten = forget();
    while (!forgotten.refersTo(null)) {
      System.gc();
    }
    assertThat(Recorded.usageAfter(() -> {})).isEmpty();
    // The recorder is free for another, and no trace of the first is left.
    try (MemoryManager manager = open(recorder)) {
      recorder.watch(manager);
      assertThat(managers(Recorded.usageAfter(() -> {}))).containsExactly("weights");
    }
    assertThat(UsageWatches.isEmpty()).isTrue();
  }

  private WeakReference<MemoryManager> forget() {
    MemoryManager manager = open(recorder);
    recorder.watch(manager);
    return new WeakReference<>(manager);
  }
}
