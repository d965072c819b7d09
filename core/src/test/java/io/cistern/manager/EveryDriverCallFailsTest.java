package io.cistern.manager;

import static io.cistern.manager.Pools.bytes;
import static io.cistern.manager.Pools.exclusive;
import static io.cistern.manager.Pools.sliced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.fail;

import io.cistern.AllocationException;
import io.cistern.DeviceMemoryException;
import io.cistern.DeviceMemoryException.Reason;
import io.cistern.MemorySize;
import io.cistern.MemoryUsage;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.FailingStorage;
import io.cistern.storage.Feature;
import io.cistern.storage.Fence;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * A program that uses every feature runs once for each call that it makes of the driver, and that
 * call fails: alone, or with all that follow. The program is told by a typed error or not at all,
 * what it holds stays as it was, the step it was in succeeds when it is done again, and so does the
 * whole program.
 */
class EveryDriverCallFailsTest {

  private static final long KIB = 1024;
  private static final long CAPACITY = 1024 * KIB;
  private static final MemoryPoolsConfig LAYOUT =
      MemoryPoolsConfig.of(
          sliced(64 * KIB).withMaxPoolSize(bytes(128 * KIB)).withDeallocPeriod(4),
          exclusive(128 * KIB).withDeallocPeriod(3),
          MemoryPoolConfig.direct().withReclaimAt(bytes(512 * KIB)));
  private static final MemoryPoolsConfig OTHER_LAYOUT =
      MemoryPoolsConfig.of(sliced(32 * KIB), MemoryPoolConfig.direct());

  /** A driver whose waiting for a fence fails; thrown as it is. */
  private static final class AwaitFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** One call of the library; it is done again after it failed. */
  private record Step(String name, Runnable call) {}

  private static final class Program {

    private final SimulatedStorage device =
        new SimulatedStorage(
            new DeviceProperties(
                "small device",
                bytes(CAPACITY),
                bytes(CAPACITY / 4),
                256,
                4096,
                Set.of(Feature.ADDRESS)));
    private final FailingStorage storage = new FailingStorage(device);
    private final DeviceMemory memory =
        DeviceMemory.open(storage, LAYOUT, (builder, _) -> builder.maxWait(Duration.ofSeconds(60)));

    private final List<Step> steps = new ArrayList<>();
    private final Map<String, AutoCloseable> open = new HashMap<>();
    private final Map<StorageCall.Kind, Integer> calls = new HashMap<>();
    private int awaits;
    private int failingAwait;
    private int failures;
    private boolean dryRunBegun;

    Program() {
      allocate(1, "small", 1000, 1);
      allocate(1, "aligned", 5000, 4096);
      allocate(1, "exclusive", 100 * KIB, 1);
      allocate(1, "direct", 200 * KIB, 1);
      allocate(1, "nothing", 0, 1);
      allocate(2, "other stream", 60 * KIB, 1);
      step("retain", () -> open.put("second", get("small", Allocation.class).retain()));
      step("use", () -> get("aligned", Allocation.class).usedUntil(fence()));
      close("aligned");
      allocate(1, "fills", 60 * KIB, 1);
      allocate(1, "spills", 62 * KIB, 1);
      allocate(1, "spills again", 63 * KIB, 1);

      step("window", () -> open.put("window", memory.stream(1).openPersistentWindow()));
      allocate(1, "persistent", 3000, 1);
      close("persistent");
      allocate(1, "persistent", 3000, 1);
      close("window");
      close("persistent");

      close("direct");
      step("capture", () -> open.put("capture", memory.stream(1).beginCapture()));
      allocate(1, "primed", 7000, 1);
      close("primed");
      step("priming", () -> get("capture", Capture.class).endPriming());
      allocate(1, "captured", 7000, 1);
      step("end", () -> open.put("pin", get("capture", Capture.class).end()));
      close("captured");

      step(
          "dry run",
          () -> {
            open.put("dry run", memory.stream(2).openDryRun());
            dryRunBegun = true;
          });
      allocate(2, "measured", 30 * KIB, 1);
      allocate(2, "touched", 50 * KIB, 1);
      step("map", () -> assertThat(get("touched", Allocation.class).address()).isPositive());
      close("touched");
      close("measured");
      close("dry run");

      // A device that is full: first what lies idle goes back, then fences are waited for.
      close("spills");
      close("spills again");
      allocate(1, "half", 250 * KIB, 1);
      step("use half", () -> get("half", Allocation.class).usedUntil(fence()));
      close("half");
      allocate(2, "large", 250 * KIB, 1);
      allocate(2, "fills up", 200 * KIB, 1);
      allocate(1, "waits for half", 250 * KIB, 1);

      close("large");
      close("fills up");
      close("waits for half");
      for (int i = 0; i < 6; i++) {
        allocate(1, "period", 90 * KIB, 1);
        close("period");
        allocate(1, "period", 100, 1);
        close("period");
      }
      step("trim", memory::trim);
      close("other stream");
      step("close stream", () -> memory.closeStream(2));
      allocate(2, "new stream", 1000, 1);
      close("new stream");
      close("pin");
      close("nothing");
      close("second");
      close("small");
      close("fills");
      close("exclusive");
      step("install", () -> memory.install(OTHER_LAYOUT));
      allocate(1, "other layout", 20 * KIB, 1);
      close("other layout");
      step("install back", () -> memory.install(LAYOUT));
      step("trim at the end", memory::trim);
    }

    private void step(String name, Runnable call) {
      steps.add(new Step(name, call));
    }

    private void allocate(int stream, String name, long byteSize, long alignment) {
      step(
          "allocate " + name,
          () -> open.put(name, memory.stream(stream).allocate(byteSize, alignment)));
    }

    private void close(String name) {
      step(
          "close " + name,
          () -> {
            assertThatCode(() -> get(name, AutoCloseable.class).close()).doesNotThrowAnyException();
            open.remove(name);
          });
    }

    private <T> T get(String name, Class<T> type) {
      AutoCloseable found = open.get(name);
      assertThat(found).as(name).isInstanceOf(type);
      return type.cast(found);
    }

    /** Device work that is done by the time that somebody has waited for it. */
    private Fence fence() {
      TestFence fence = TestFence.passingOnAwait();
      return new Fence() {
        @Override
        public boolean hasPassed() {
          return fence.hasPassed();
        }

        @Override
        public boolean await(Duration atMost) throws InterruptedException {
          if (++awaits == failingAwait) {
            throw new AwaitFailed();
          }
          return fence.await(atMost);
        }
      };
    }

    /** Counts the calls, and refuses some by their number among those of the same kind. */
    private void refuse(StorageCall.Kind kind, Predicate<Integer> numbers, Reason reason) {
      calls.clear();
      storage.refuse(
          call -> numbers.test(calls.merge(call.kind(), 1, Integer::sum)) && call.kind() == kind,
          reason);
    }

    /** Runs all steps; those that fail are done again on a driver that works again. */
    void run() {
      dryRunBegun = false;
      for (Step step : steps) {
        MemoryUsage before = memory.usage();
        try {
          step.call.run();
        } catch (AllocationException | DeviceMemoryException | AwaitFailed told) {
          failures++;
          check();
          MemoryUsage after = memory.usage();
          assertThat(after.inUse()).as(step.name).isEqualTo(before.inUse());
          assertThat(after.allocations()).as(step.name).isEqualTo(before.allocations());
          assertThat(after.pinned()).as(step.name).isEqualTo(before.pinned());
          storage.recover();
          assertThatCode(step.call::run).as(step.name + " again").doesNotThrowAnyException();
        } catch (RuntimeException e) {
          fail(step.name + " failed by an untyped error", e);
        }
        check();
      }
      storage.recover();
      memory.trim();
      assertThat(open.keySet()).isEqualTo(Set.of("capture"));
      open.clear();
      MemoryUsage usage = memory.usage();
      assertThat(usage.allocations()).isZero();
      assertThat(usage.inUse()).isEqualTo(MemorySize.ZERO);
      assertThat(usage.pending()).isEqualTo(MemorySize.ZERO);
      assertThat(usage.pinned()).isEqualTo(MemorySize.ZERO);
      assertThat(usage.reserved()).isEqualTo(MemorySize.ZERO);
      assertThat(device.allocated()).isEqualTo(MemorySize.ZERO);
    }

    private void check() {
      memory.streams().values().forEach(MemoryManager::checkInvariants);
      // The device knows nothing of pages of a dry run until they are used.
      if (!dryRunBegun) {
        assertThat(memory.usage().reserved()).isEqualTo(device.allocated());
      }
    }

    void end() {
      memory.close();
      assertThat(device.allocated()).isEqualTo(MemorySize.ZERO);
    }
  }

  @Test
  void withoutAFaultNothingFailsAndEachKindOfCallIsMade() {
    Program program = new Program();
    program.refuse(StorageCall.Kind.ALLOCATE, _ -> false, Reason.DRIVER_FAILED);
    program.run();
    assertThat(program.failures).isZero();
    assertThat(program.calls.get(StorageCall.Kind.ALLOCATE)).isGreaterThan(15);
    assertThat(program.calls.get(StorageCall.Kind.FREE)).isGreaterThan(10);
    assertThat(program.awaits).isPositive();
    program.end();
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "DEVICE_LOST")
  void aCallThatFailsLosesNothing(Reason reason) {
    int faults = 0;
    int failures = 0;
    for (StorageCall.Kind kind : StorageCall.Kind.values()) {
      for (boolean onlyOne : new boolean[] {true, false}) {
        boolean reached = true;
        for (int first = 1; reached; first++) {
          int number = first;
          Program program = new Program();
          program.refuse(kind, at -> onlyOne ? at == number : at >= number, reason);
          try {
            program.run();
            reached = program.calls.getOrDefault(kind, 0) >= number;
            faults += reached ? 1 : 0;
            failures += program.failures;
            program.run();
            program.end();
          } catch (AssertionError | RuntimeException e) {
            String which = onlyOne ? "call " + number : "calls from " + number + " on";
            throw new AssertionError(kind + " " + which + " failing: " + reason, e);
          }
        }
      }
    }
    assertThat(faults).isGreaterThan(70);
    assertThat(failures).isGreaterThan(40);
  }

  @Test
  void aWaitThatFailsLosesNothing() {
    Program counted = new Program();
    counted.run();
    for (int number = 1; number <= counted.awaits; number++) {
      Program program = new Program();
      program.failingAwait = number;
      program.run();
      assertThat(program.failures).isEqualTo(1);
      program.run();
      program.end();
    }
  }
}
