package io.cistern.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.MemorySize;
import io.cistern.OutOfDeviceMemoryException;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.FailingStorage;
import io.cistern.storage.MemoryListener;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageCall;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a real manager does shows in a real recording, with its values. */
class RecordedEventsTest {

  private static final MemoryPoolConfig.Sliced PAGES =
      MemoryPoolConfig.sliced(MemorySize.ofKiB(64));
  private static final List<String> ALL =
      List.of(
          "PageMade",
          "PageGivenBack",
          "PageKept",
          "Spilled",
          "Served",
          "Released",
          "Refused",
          "CleanedUp",
          "Installed",
          "Closed");

  private final FailingStorage device =
      new FailingStorage(SimulatedStorage.withCapacity(MemorySize.ofMiB(1)));

  @AfterEach
  void closeDevice() {
    device.recover();
    device.close();
  }

  private MemoryManager open(MemoryListener listener, MemoryPoolConfig... pools) {
    return MemoryManager.builder(device)
        .pools(MemoryPoolsConfig.of(pools))
        .name("manager")
        .listener(listener)
        .open();
  }

  private static List<String> names(List<RecordedEvent> events) {
    return events.stream().map(Recorded::name).toList();
  }

  private static void assertPage(RecordedEvent event, String name) {
    assertThat(Recorded.name(event)).isEqualTo(name);
    assertThat(event.getString("manager")).isEqualTo("weights");
    assertThat(event.getInt("pool")).isZero();
    assertThat(event.getLong("pageSize")).isEqualTo(64 * 1024);
  }

  private static void assertRequest(RecordedEvent event, String name, long byteSize) {
    assertThat(Recorded.name(event)).isEqualTo(name);
    assertThat(event.getString("manager")).isEqualTo("weights");
    assertThat(event.getInt("pool")).isZero();
    assertThat(event.getLong("requestSize")).isEqualTo(byteSize);
  }

  @Test
  void pagesRequestsAndTheClose() {
    List<RecordedEvent> events =
        Recorded.during(
            ALL,
            () -> {
              try (MemoryManager manager = open(MemoryFlightRecorder.full("weights"), PAGES)) {
                manager.allocate(1000).close();
                manager.trim();
                assertThat(manager.allocate(7).isAlive()).isTrue();
              }
            });
    assertThat(names(events))
        .startsWith("PageMade", "Served", "Released", "PageGivenBack", "CleanedUp")
        .containsSubsequence("PageMade", "Served", "Closed");
    assertPage(events.get(0), "PageMade");
    assertRequest(events.get(1), "Served", 1000);
    assertRequest(events.get(2), "Released", 1000);
    assertPage(events.get(3), "PageGivenBack");
    assertThat(events.get(4).getString("manager")).isEqualTo("weights");
    assertThat(events.get(4).getLong("givenBack")).isEqualTo(64 * 1024);
    RecordedEvent closed = only(events, "Closed");
    assertThat(closed.getString("manager")).isEqualTo("weights");
    assertThat(closed.getLong("liveAllocations")).isEqualTo(1);
    assertThat(closed.getLong("liveBytes")).isEqualTo(7);
    assertThat(events)
        .allSatisfy(event -> assertThat(event.getThread()).isNotNull())
        .allSatisfy(event -> assertThat(event.getStackTrace()).isNull());
  }

  private static RecordedEvent only(List<RecordedEvent> events, String name) {
    List<RecordedEvent> found =
        events.stream().filter(event -> Recorded.name(event).equals(name)).toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  @Test
  void aPageThatTheDriverDoesNotTake() {
    List<RecordedEvent> events =
        Recorded.during(
            List.of("PageKept"),
            () -> {
              try (MemoryManager manager = open(MemoryFlightRecorder.basic("weights"), PAGES)) {
                manager.allocate(1000).close();
                device.refuse(call -> call.kind() == StorageCall.Kind.FREE);
                manager.trim();
                device.recover();
              }
            });
    RecordedEvent kept = only(events, "PageKept");
    assertPage(kept, "PageKept");
    assertThat(kept.getString("message")).startsWith("told to refuse ");
  }

  @Test
  void spillsOfAFullPool() {
    List<RecordedEvent> events =
        Recorded.during(
            List.of("Spilled"),
            () -> {
              try (MemoryManager manager =
                      open(
                          MemoryFlightRecorder.basic("weights"),
                          PAGES.withMaxPoolSize(MemorySize.ofKiB(64)),
                          MemoryPoolConfig.direct());
                  Allocation whole = manager.allocate(64 * 1024)) {
                assertThat(whole.isAlive()).isTrue();
                manager.allocate(100).close();
                manager.allocate(200).close();
              }
            });
    assertThat(events).hasSize(2);
    assertRequest(events.get(0), "Spilled", 100);
    assertThat(events.get(0).getBoolean("first")).isTrue();
    assertRequest(events.get(1), "Spilled", 200);
    assertThat(events.get(1).getBoolean("first")).isFalse();
  }

  @Test
  void aRefusalShowsWhoAsked() {
    List<RecordedEvent> events =
        Recorded.during(
            List.of("Refused"),
            () -> {
              try (MemoryManager manager =
                  open(MemoryFlightRecorder.basic("weights"), MemoryPoolConfig.direct())) {
                assertThatThrownBy(() -> askForTooMuch(manager))
                    .isInstanceOf(OutOfDeviceMemoryException.class);
              }
            });
    RecordedEvent refused = only(events, "Refused");
    assertThat(refused.getString("manager")).isEqualTo("weights");
    assertThat(refused.getLong("requestSize")).isEqualTo(1 << 21);
    assertThat(refused.getClass("thrownClass").getName())
        .isEqualTo(OutOfDeviceMemoryException.class.getName());
    assertThat(refused.getString("message")).contains("asked for 2097152 bytes");
    assertThat(refused.getStackTrace().getFrames())
        .anySatisfy(frame -> assertThat(frame.getMethod().getName()).isEqualTo("askForTooMuch"));
  }

  private static void askForTooMuch(MemoryManager manager) {
    manager.allocate(1 << 21).close();
  }

  @Test
  void aLayoutInstalled() {
    MemoryPoolsConfig other = MemoryPoolsConfig.of(MemoryPoolConfig.direct());
    List<RecordedEvent> events =
        Recorded.during(
            List.of("Installed"),
            () -> {
              try (MemoryManager manager = open(MemoryFlightRecorder.basic("weights"), PAGES)) {
                manager.install(other);
              }
            });
    RecordedEvent installed = only(events, "Installed");
    assertThat(installed.getString("manager")).isEqualTo("weights");
    assertThat(installed.getString("pools")).isEqualTo(other.toString());
  }

  @Test
  void nothingIsRecordedThatNobodyTurnedOn() {
    List<RecordedEvent> events =
        Recorded.during(
            List.of(),
            () -> {
              MemoryFlightRecorder recorder = MemoryFlightRecorder.full("weights");
              try (MemoryManager manager = open(recorder, PAGES);
                  UsageWatch watch = recorder.watch(manager)) {
                assertThat(watch).isNotNull();
                manager.allocate(1000).close();
                manager.trim();
              }
            });
    assertThat(events).isEmpty();
  }

  @Test
  void aBasicRecorderLeavesRequestsOut() {
    List<RecordedEvent> events =
        Recorded.during(
            ALL,
            () -> {
              try (MemoryManager manager = open(MemoryFlightRecorder.basic("weights"), PAGES)) {
                manager.allocate(1000).close();
              }
            });
    assertThat(names(events)).contains("PageMade", "Closed").doesNotContain("Served", "Released");
  }

  @Test
  void manyThreadsLoseNoEvent() {
    List<RecordedEvent> events =
        Recorded.during(
            List.of("Served", "Released"),
            () -> {
              try (MemoryManager manager = open(MemoryFlightRecorder.full("weights"), PAGES);
                  ExecutorService workers = Executors.newFixedThreadPool(4)) {
                List<Future<?>> done = new ArrayList<>();
                for (int worker = 0; worker < 4; worker++) {
                  done.add(
                      workers.submit(
                          () -> {
                            for (int i = 0; i < 250; i++) {
                              manager.allocate(100).close();
                            }
                          }));
                }
                done.forEach(RecordedEventsTest::await);
              }
            });
    assertThat(names(events)).hasSize(2000).filteredOn("Served"::equals).hasSize(1000);
  }

  private static void await(Future<?> work) {
    try {
      work.get();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
