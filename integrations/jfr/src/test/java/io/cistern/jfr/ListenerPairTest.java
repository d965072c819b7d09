package io.cistern.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.MemoryEvent;
import io.cistern.storage.MemoryListener;
import io.cistern.storage.SimulatedStorage;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;

/** A recorder and another listener at one manager. */
class ListenerPairTest {

  private static final List<String> NAMES = List.of("PageMade", "Served", "Released");

  /** Keeps what it hears. */
  private static final class Heard implements MemoryListener {
    private final List<MemoryEvent> events = new ArrayList<>();
    private final boolean requests;

    Heard(boolean requests) {
      this.requests = requests;
    }

    @Override
    public boolean wantsRequests() {
      return requests;
    }

    @Override
    public void on(MemoryEvent event) {
      events.add(event);
    }
  }

  /** Thrown by a listener; without a stack trace, since the manager logs it. */
  private static final class QuietException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    QuietException() {
      super("from the listener", null, false, false);
    }
  }

  private static List<String> recorded(MemoryListener listener) {
    List<RecordedEvent> events = Recorded.during(NAMES, () -> use(listener));
    return events.stream().map(Recorded::name).toList();
  }

  private static void use(MemoryListener listener) {
    try (SimulatedStorage device = SimulatedStorage.withCapacity(MemorySize.ofMiB(1));
        MemoryManager manager =
            MemoryManager.builder(device)
                .pools(MemoryPoolsConfig.of(MemoryPoolConfig.sliced(MemorySize.ofKiB(64))))
                .listener(listener)
                .open()) {
      manager.allocate(100).close();
    }
  }

  @Test
  void bothHearEveryEvent() {
    Heard other = new Heard(true);
    assertThat(recorded(MemoryFlightRecorder.full("both").andThen(other)))
        .containsExactly("PageMade", "Served", "Released");
    assertThat(other.events)
        .startsWith(
            new MemoryEvent.PageMade(0, 64 * 1024),
            new MemoryEvent.Served(0, 100),
            new MemoryEvent.Released(0, 100))
        .contains(new MemoryEvent.Closed(0, 0, List.of()));
  }

  @Test
  void onlyTheRecorderHearsOfRequestsThatItAloneWants() {
    Heard other = new Heard(false);
    assertThat(recorded(MemoryFlightRecorder.full("both").andThen(other)))
        .containsExactly("PageMade", "Served", "Released");
    assertThat(other.events)
        .contains(new MemoryEvent.PageMade(0, 64 * 1024))
        .doesNotHaveAnyElementsOfTypes(MemoryEvent.Served.class, MemoryEvent.Released.class);
  }

  @Test
  void onlyTheOtherHearsOfRequestsThatItAloneWants() {
    Heard other = new Heard(true);
    assertThat(recorded(MemoryFlightRecorder.basic("both").andThen(other)))
        .containsExactly("PageMade");
    assertThat(other.events)
        .contains(new MemoryEvent.Served(0, 100), new MemoryEvent.Released(0, 100));
  }

  @Test
  void requestsThatNeitherWantsAreNotAskedFor() {
    MemoryFlightRecorder basic = MemoryFlightRecorder.basic("both");
    assertThat(basic.wantsRequests()).isFalse();
    assertThat(basic.andThen(new Heard(false)).wantsRequests()).isFalse();
    assertThat(basic.andThen(new Heard(true)).wantsRequests()).isTrue();
    assertThat(MemoryFlightRecorder.full("both").andThen(new Heard(false)).wantsRequests())
        .isTrue();
  }

  @Test
  void whatTheOtherThrowsHidesNoEventAndReachesNoUser() {
    MemoryListener failing =
        event -> {
          throw new QuietException();
        };
    assertThat(recorded(MemoryFlightRecorder.full("both").andThen(failing)))
        .containsExactly("PageMade", "Served", "Released");
  }
}
