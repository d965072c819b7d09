package io.cistern.manager;

import static io.cistern.manager.Pools.sliced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.cistern.LiveAllocation;
import io.cistern.MemorySize;
import io.cistern.PoolsInUseException;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.FailingStorage;
import io.cistern.storage.MemoryEvent;
import io.cistern.storage.MemoryListener;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Section 7: streams end, and managers say what was live when they were closed. */
class StreamsTest {

  private final SimulatedStorage device = SimulatedStorage.withCapacity(MemorySize.ofMiB(64));

  @Test
  void aClosedStreamGivesFreePagesBackAtOnceAndTheRestLater() {
    try (DeviceMemory memory = DeviceMemory.open(device, MemoryPoolsConfig.of(sliced(4096)))) {
      Allocation live = memory.stream(1).allocate(4096);
      memory.stream(1).allocate(4096).close();
      MemoryManager ended = memory.stream(1);
      memory.closeStream(1);
      memory.closeStream(1);
      memory.closeStream(7);
      assertThat(device.allocated()).isEqualTo(MemorySize.of(4096));
      assertThat(memory.streams()).isEmpty();
      assertThatThrownBy(() -> ended.allocate(1)).hasMessageContaining("has ended");
      assertThat(live.isAlive()).isTrue();
      live.close();
      assertThat(device.allocated()).isEqualTo(MemorySize.ZERO);
      assertThat(memory.usage().reserved()).isEqualTo(MemorySize.ZERO);
      assertThat(memory.stream(1)).isNotSameAs(ended);
    }
  }

  @Test
  void aPendingSliceOfAClosedStreamGoesBackWhenItsFenceHasPassed() {
    try (DeviceMemory memory = DeviceMemory.open(device, MemoryPoolsConfig.of(sliced(4096)))) {
      TestFence fence = TestFence.open();
      Allocation used = memory.stream(1).allocate(4096);
      used.usedUntil(fence);
      used.close();
      memory.closeStream(1);
      assertThat(device.allocated()).isEqualTo(MemorySize.of(4096));
      fence.pass();
      memory.trim();
      assertThat(device.allocated()).isEqualTo(MemorySize.ZERO);
    }
  }

  @Test
  void aPageThatTheDriverDoesNotTakeBackAtTheEndOfAStreamGoesBackLater() {
    FailingStorage failing = new FailingStorage(device);
    try (DeviceMemory memory = DeviceMemory.open(failing, MemoryPoolsConfig.of(sliced(4096)))) {
      memory.stream(1).allocate(4096).close();
      failing.refuse(call -> call.kind() == StorageCall.Kind.FREE);
      memory.closeStream(1);
      assertThat(memory.usage().reserved()).isEqualTo(device.allocated());
      failing.recover();
      memory.trim();
      assertThat(device.allocated()).isEqualTo(MemorySize.ZERO);
      assertThat(memory.usage().reserved()).isEqualTo(MemorySize.ZERO);
    }
  }

  @Test
  void aStreamClosedInACaptureGoesBackWhenTheCaptureAndItsPinEnd() {
    try (DeviceMemory memory = DeviceMemory.open(device, MemoryPoolsConfig.of(sliced(4096)))) {
      Capture capture = memory.stream(1).beginCapture();
      memory.stream(1).allocate(4096).close();
      memory.closeStream(1);
      CapturePin pin = capture.end();
      assertThat(device.allocated()).isNotEqualTo(MemorySize.ZERO);
      pin.close();
      assertThat(device.allocated()).isEqualTo(MemorySize.ZERO);

      Capture unused = memory.stream(2).beginCapture();
      memory.stream(2).allocate(4096).close();
      memory.closeStream(2);
      unused.close();
      assertThat(device.allocated()).isEqualTo(MemorySize.ZERO);
    }
  }

  @Test
  void anInstallIsForAllStreamsOrNone() {
    MemoryPoolsConfig before = MemoryPoolsConfig.of(sliced(4096));
    MemoryPoolsConfig after = MemoryPoolsConfig.of(sliced(8192));
    try (DeviceMemory memory = DeviceMemory.open(device, before)) {
      memory.stream(1).allocate(1).close();
      Allocation live = memory.stream(2).allocate(1);
      assertThatThrownBy(() -> memory.install(after)).isInstanceOf(PoolsInUseException.class);
      assertThat(memory.stream(1).layout().config()).isEqualTo(before);
      live.close();
      memory.install(after);
      for (int stream = 1; stream <= 3; stream++) {
        assertThat(memory.stream(stream).layout().config()).isEqualTo(after);
      }
      assertThat(device.allocated()).isEqualTo(MemorySize.ZERO);
    }
  }

  @Test
  void theEndOfAStreamIsToldOutsideOfTheLock() {
    TestFence fence = TestFence.open();
    DeviceMemory[] self = new DeviceMemory[1];
    List<Boolean> answered = new ArrayList<>();
    MemoryListener asksFromAnotherThread =
        event -> {
          if (event instanceof MemoryEvent.Closed) {
            Thread other = Thread.ofPlatform().daemon().start(() -> self[0].usage());
            try {
              answered.add(other.join(Duration.ofSeconds(20)));
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          }
        };
    try (DeviceMemory memory =
        DeviceMemory.open(
            device,
            MemoryPoolsConfig.of(sliced(4096)),
            (builder, _) -> builder.listener(asksFromAnotherThread))) {
      self[0] = memory;
      Allocation used = memory.stream(1).allocate(4096);
      used.usedUntil(fence);
      used.close();
      memory.closeStream(1);
      fence.pass();
      memory.trim();
      assertThat(answered).containsExactly(true);
    }
  }

  @Test
  void managersOfStreamsAreSetUpAsAsked() {
    List<String> heard = new ArrayList<>();
    try (DeviceMemory memory =
        DeviceMemory.open(
            device,
            MemoryPoolsConfig.of(sliced(4096)),
            (builder, stream) -> builder.listener(event -> heard.add(stream + " " + event)))) {
      memory.stream(3).allocate(1).close();
    }
    assertThat(heard).contains("3 PageMade[pool=0, byteSize=4096]");
  }

  @Test
  void theReportOfAClosedManagerHoldsNothing() {
    MemoryManager manager = MemoryManager.open(device, MemoryPoolsConfig.of(sliced(4096)));
    manager.allocate(1000);
    manager.close();
    MemoryReport.PoolReport pool = manager.report().pools().getFirst();
    assertThat(List.of(pool.usage().reserved(), pool.free(), pool.largestFree()))
        .containsOnly(MemorySize.ZERO);
  }

  @Test
  void liveAllocationsAreToldInTheOrderOfTheirRequests() {
    List<MemoryEvent> events = new ArrayList<>();
    MemoryManager manager =
        MemoryManager.builder(device)
            .pools(MemoryPoolsConfig.of(sliced(4096)))
            .listener(events::add)
            .trackPlaces(true)
            .open();
    manager.allocate(300, "vertices");
    try (PersistentWindow _ = manager.openPersistentWindow()) {
      manager.allocate(200, "weights");
    }
    manager.allocate(0);
    manager.allocate(100).close();
    manager.close();
    manager.close();
    List<MemoryEvent> closed =
        events.stream().filter(event -> event instanceof MemoryEvent.Closed).toList();
    assertThat(closed).hasSize(1);
    MemoryEvent.Closed event = (MemoryEvent.Closed) closed.getFirst();
    assertThat(event.live())
        .extracting(LiveAllocation::byteSize, LiveAllocation::pool, LiveAllocation::tag)
        .containsExactly(tuple(300L, 0, "vertices"), tuple(200L, -1, "weights"), tuple(0L, 0, ""));
    assertThat(event.live()).allMatch(one -> one.place().contains("StreamsTest.java"));
  }
}
