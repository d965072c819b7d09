package io.cistern.manager;

import static io.cistern.manager.Pools.bytes;
import static io.cistern.manager.Pools.sliced;
import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.SafetyOptions;
import io.cistern.storage.SimulatedStorage;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Freed slices rest before they are used again, unless memory is short. */
class QuarantineTest {

  private static final MemoryPoolConfig.Sliced ONE_PAGE =
      sliced(1 << 20).withMaxPoolSize(bytes(1 << 20));

  private final SimulatedStorage device = SimulatedStorage.withCapacity(MemorySize.ofMiB(16));
  private final MemoryManager manager =
      MemoryManager.builder(device)
          .pools(MemoryPoolsConfig.of(ONE_PAGE))
          .maxWait(Duration.ZERO)
          .safety(SafetyOptions.OFF.withQuarantine(MemorySize.ofKiB(64)))
          .open();

  @AfterEach
  void close() {
    manager.checkInvariants();
    manager.close();
    assertThat(device.allocated()).isEqualTo(MemorySize.ZERO);
  }

  private long freedAt(long byteSize) {
    try (Allocation allocation = manager.allocate(byteSize)) {
      return allocation.byteOffset();
    } finally {
      manager.checkInvariants();
    }
  }

  @Test
  void aFreedSliceIsNotUsedAgainBeforeEnoughWasFreedAfterIt() {
    long first = freedAt(4096);
    for (long freed = 4096; freed <= (64 << 10) * 7 / 8; freed += 4096) {
      assertThat(freedAt(4096)).isNotEqualTo(first);
    }
  }

  @Test
  void afterThatItIsUsedAgainSoThatTheQuarantineIsBounded() {
    for (int i = 0; i < 1000; i++) {
      freedAt(4096);
      // What rests at most, and what the next few requests have not asked for yet.
      assertThat(manager.usage().pending().bytes()).isLessThanOrEqualTo((64 << 10) + 10 * 4096);
    }
    assertThat(manager.report().pools().getFirst().spills()).isZero();
  }

  @Test
  void whatRestsCountsAsPending() {
    freedAt(4096);
    assertThat(manager.usage().pending()).isEqualTo(bytes(4096));
    assertThat(manager.usage().inUse()).isEqualTo(MemorySize.ZERO);
    assertThat(manager.usage().allocations()).isZero();
  }

  @Test
  void aRequestThatWouldBeRefusedEndsTheRest() {
    freedAt(1 << 15);
    assertThat(freedAt(1 << 20)).isZero();
  }

  @Test
  void anInstallEndsTheRest() {
    freedAt(4096);
    manager.install(MemoryPoolsConfig.of(ONE_PAGE));
    assertThat(manager.usage().pending()).isEqualTo(MemorySize.ZERO);
  }

  @Test
  void trimLeavesWhatRests() {
    freedAt(4096);
    assertThat(manager.trim()).isEqualTo(MemorySize.ZERO);
    assertThat(manager.usage().pending()).isEqualTo(bytes(4096));
  }

  @Test
  void aSliceThatWaitsForItsOwnFenceRestsAfterIt() {
    TestFence fence = TestFence.open();
    Allocation allocation = manager.allocate(4096);
    allocation.usedUntil(fence);
    allocation.close();
    fence.pass();
    freedAt(256); // Asks the fence.
    manager.checkInvariants();
    assertThat(manager.usage().pending()).isEqualTo(bytes(4096 + 256));
  }

  @Test
  void aCaptureBringsWhatRestsBackToLife() {
    Capture capture = manager.beginCapture();
    capture.endPriming();
    manager.allocate(4096).close();
    assertThat(manager.usage().pending()).isEqualTo(bytes(4096));
    CapturePin pin = capture.end();
    manager.checkInvariants();
    assertThat(manager.usage().pending()).isEqualTo(MemorySize.ZERO);
    assertThat(manager.usage().pinned()).isEqualTo(bytes(4096));
    pin.close();
    manager.checkInvariants();
    assertThat(manager.usage().pending()).isEqualTo(bytes(4096));
  }
}
