package io.cistern.gpu.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cistern.AllocationException;
import io.cistern.DeviceMemoryException;
import io.cistern.DeviceMemoryException.Reason;
import io.cistern.MemorySize;
import io.cistern.OutOfDeviceMemoryException;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.gpu.GpuGraph;
import io.cistern.gpu.GpuStorage;
import io.cistern.gpu.GpuStream;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.StorageProvider;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A driver that fails, at every call in turn: typed errors, sound totals, nothing leaked. */
@SuppressWarnings("try") // Closing twice is what is tested.
public abstract class FailureSuite extends GpuSuite {

  private static final int LENGTH = 1000;

  /** From here on a code stays, as the fake driver has it. */
  private static final int FIRST_LOST = 700;

  private static final MemoryPoolsConfig PAGES_AND_BLOCKS =
      MemoryPoolsConfig.of(MemoryPoolConfig.sliced(MemorySize.ofMiB(1)), MemoryPoolConfig.direct());

  /**
   * For subclasses.
   *
   * @param kind whose driver
   * @param provider whose devices
   */
  protected FailureSuite(FakeDriver.Kind kind, StorageProvider provider) {
    super(kind, provider);
  }

  /** Everything that a program does with a device; a failure ends it early. */
  private static void useAll(GpuStorage storage) {
    try (MemoryManager manager = manager(storage);
        GpuStream stream = GpuStream.open(storage);
        Allocation input = manager.allocate(LENGTH);
        Allocation output = manager.allocate(1 << 20)) {
      input.write(0, MemorySegment.ofArray(new byte[LENGTH]));
      try (GpuGraph graph =
          GpuGraph.capture(
              stream,
              manager,
              () -> {
                try (Allocation between = manager.allocate(LENGTH)) {
                  stream.copy(input, 0, between, 0, LENGTH);
                  stream.fill(output, 0, LENGTH, (byte) 1);
                }
              })) {
        graph.launch();
        output.usedUntil(stream.fence());
        stream.await();
      }
      output.read(0, MemorySegment.ofArray(new byte[LENGTH]));
    }
  }

  /** Runs it all with one call failing; whether all calls were made, and none failed. */
  private boolean survives(String memory, int nth, int code) {
    fake().reset(CAPACITY);
    fake().fail("*", nth, code);
    long before = fake().count("calls");
    try (GpuStorage storage = open(memory)) {
      try {
        useAll(storage);
      } catch (DeviceMemoryException | AllocationException e) {
        assertThat(e).hasMessageContaining("(" + code + ")");
      }
      storage.close();
      // A close that fails goes on at the next.
      storage.close();
      assertThat(storage.blocksOut()).isZero();
      assertThat(storage.allocated()).isEqualTo(MemorySize.ZERO);
    } catch (IllegalArgumentException e) {
      // It was not opened, which says why.
      assertThat(e.getMessage()).matches("(?s).*(\\(" + code + "\\)|does not support it.*)");
    }
    boolean done = fake().count("calls") - before < nth;
    fake().recover();
    if (code >= FIRST_LOST) {
      forgetWhatHipKeeps();
    }
    assertThat(fake().live()).as("after failure of call %s of %s", nth, memory).isEmpty();
    return done;
  }

  /** One failing call, wherever it is, leaks nothing. */
  @ParameterizedTest
  @CsvSource({
    "device, 1",
    "device, 2",
    "device, 201",
    "async, 1",
    "async, 2",
    "pinned, 1",
    "managed, 2",
    "device, 719",
    "async, 719",
    "pinned, 700",
    "managed, 719"
  })
  public void aFailureOfAnyCallLeaksNothing(String memory, int code) {
    int nth = 1;
    while (!survives(memory, nth, code)) {
      nth++;
    }
    assertThat(nth).as("calls of a whole run").isGreaterThan(60);
    // A thread whose context could not be popped keeps it; here that was made to happen.
    fake().reset(CAPACITY);
  }

  /** A device that is lost between calls is told by the manager too, whose totals stay. */
  @ParameterizedTest
  @ValueSource(strings = {"device", "async", "pinned", "managed"})
  public void aLostDeviceIsTypedAndTotalsStay(String memory) {
    GpuStorage storage = open(memory);
    MemoryManager manager = manager(storage);
    Allocation slice = manager.allocate(LENGTH);
    fake().set("lost", 719);
    assertThatExceptionOfType(OutOfDeviceMemoryException.class)
        .isThrownBy(() -> manager.allocate(1 << 20))
        .withCauseInstanceOf(DeviceMemoryException.class)
        .satisfies(e -> assertLost((DeviceMemoryException) Objects.requireNonNull(e.getCause())));
    assertThat(manager.usage().inUse()).isEqualTo(MemorySize.of(LENGTH));
    assertThat(storage.allocated()).isEqualTo(MemorySize.ofMiB(1));
    slice.close();
    assertThat(manager.trim()).isEqualTo(MemorySize.ZERO);
    manager.close();
    storage.close();
    assertThat(storage.blocksOut()).isZero();
    forgetWhatHipKeeps();
  }

  private void assertLost(DeviceMemoryException e) {
    assertThat(e.reason()).isEqualTo(Reason.DEVICE_LOST);
    assertThat(e)
        .hasMessageContaining(
            code("CUDA_ERROR_LAUNCH_FAILED (719)", "hipErrorLaunchFailure (719)"));
  }

  /** A manager whose pages are not taken back keeps them in account, and gives them back later. */
  @Test
  public void aManagerKeepsWhatIsNotTakenBack() {
    try (GpuStorage storage = open();
        MemoryManager manager = manager(storage)) {
      manager.allocate(LENGTH).close();
      fake().fail("cuMemFree_v2", 0, 1);
      assertThat(manager.trim()).isEqualTo(MemorySize.ZERO);
      assertThat(manager.usage().reserved()).isEqualTo(MemorySize.ofMiB(1));
      assertThat(storage.allocated()).isEqualTo(MemorySize.ofMiB(1));
      manager.allocate(LENGTH).close();
      fake().recover();
      assertThat(manager.trim()).isEqualTo(MemorySize.ofMiB(1));
    }
  }

  /** A manager that meets a full device gives up what it holds idle, and is served. */
  @Test
  public void aManagerTrimsAndTriesAgain() {
    try (GpuStorage others = open();
        GpuStorage storage = open();
        MemoryManager manager = MemoryManager.open(storage, PAGES_AND_BLOCKS)) {
      others.allocate(MemorySize.ofMiB(60).bytes());
      for (int i = 0; i < 4; i++) {
        manager.allocate(1 << 20).close();
      }
      try (Allocation one = manager.allocate(1 << 20);
          Allocation two = manager.allocate(1 << 20)) {
        assertThat(one.address()).isNotEqualTo(two.address());
      }
      assertThat(storage.blocksOut()).isEqualTo(2);
      fake().calls();
      try (Allocation large = manager.allocate(3 << 20)) {
        assertThat(large.byteSize()).isEqualTo(3 << 20);
      }
      assertThat(fake().work())
          .containsSubsequence(
              "cuMemAlloc_v2(3145728)", "cuMemFree_v2(block#2+0)", "cuMemAlloc_v2(3145728)");
      assertThatExceptionOfType(OutOfDeviceMemoryException.class)
          .isThrownBy(() -> manager.allocate(5 << 20));
      assertThat(manager.usage().inUse()).isEqualTo(MemorySize.ZERO);
    }
  }
}
