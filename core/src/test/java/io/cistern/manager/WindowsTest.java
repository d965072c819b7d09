package io.cistern.manager;

import static io.cistern.manager.Pools.bytes;
import static io.cistern.manager.Pools.sliced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.DeviceMemoryException;
import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.StorageCall;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Section 8: persistent windows, captures and dry runs. */
class WindowsTest {

  private static final int PERSISTENT = -1;

  private final Pools pools = new Pools(sliced(4096));
  private final MemoryManager manager = pools.manager;

  @AfterEach
  void close() {
    if (manager.isOpen()) {
      manager.checkInvariants();
    }
    pools.close();
    assertThat(pools.device.allocated()).isEqualTo(MemorySize.ZERO);
  }

  @Test
  void closingAWindowTwiceIsHarmless() {
    PersistentWindow outer = manager.openPersistentWindow();
    PersistentWindow inner = manager.openPersistentWindow();
    inner.close();
    inner.close();
    assertThat(pools.allocate(100).pool()).isEqualTo(PERSISTENT);
    outer.close();
    assertThat(pools.allocate(100).pool()).isZero();
  }

  @Test
  void freePersistentSlicesGoBackOnExplicitCleanupOnly() {
    try (PersistentWindow _ = manager.openPersistentWindow()) {
      pools.use(1025);
      pools.use(1025);
    }
    for (int i = 0; i < 100; i++) {
      pools.use(10);
    }
    assertThat(pools.calls()).containsExactly("+1280", "+4096");
    manager.trim();
    assertThat(pools.device.allocated()).isEqualTo(MemorySize.ZERO);
  }

  @Test
  void aPinHoldsWhatTheCaptureTouchedAndNothingElse() {
    try (PersistentWindow _ = manager.openPersistentWindow()) {
      pools.use(512);
      pools.use(1024);
    }
    Capture capture = manager.beginCapture();
    pools.use(1024);
    capture.endPriming();
    CapturePin pin = capture.end();
    assertThat(pin.sizes()).containsExactly(bytes(1024));
    assertThat(manager.usage().pinned()).isEqualTo(bytes(1024));
    assertThat(manager.usage().inUse()).isEqualTo(bytes(1024));
    manager.checkInvariants();
    assertThat(manager.trim()).isEqualTo(bytes(512));
    pin.close();
    pin.close();
    manager.checkInvariants();
    assertThat(manager.usage().pinned()).isEqualTo(MemorySize.ZERO);
    assertThat(manager.trim()).isEqualTo(bytes(1024));
  }

  @Test
  void aHandleThatOutlivesThePinKeepsItsSlice() {
    Capture capture = manager.beginCapture();
    Allocation output = pools.allocate(1024);
    CapturePin pin = capture.end();
    assertThat(manager.usage().pinned()).isEqualTo(MemorySize.ZERO);
    assertThat(output.canMutate()).isTrue();
    pin.close();
    assertThat(output.isAlive()).isTrue();
    assertThat(manager.usage().inUse()).isEqualTo(bytes(1024));
    output.close();
    assertThat(manager.usage().inUse()).isEqualTo(MemorySize.ZERO);
  }

  @Test
  void aPendingSliceThatIsPinnedIsNotFreedByItsFence() {
    TestFence fence = TestFence.open();
    Capture capture = manager.beginCapture();
    capture.endPriming();
    Allocation touched = manager.allocate(1024);
    touched.usedUntil(fence);
    touched.close();
    assertThat(manager.usage().pending()).isEqualTo(bytes(1024));
    CapturePin pin = capture.end();
    manager.checkInvariants();
    assertThat(manager.usage().pending()).isEqualTo(MemorySize.ZERO);
    assertThat(manager.usage().pinned()).isEqualTo(bytes(1024));
    pin.close();
    manager.checkInvariants();
    assertThat(manager.usage().pending()).as("the fence still counts").isEqualTo(bytes(1024));
    fence.pass();
    pools.use(10);
    pools.use(10);
    assertThat(manager.usage().pending()).isEqualTo(MemorySize.ZERO);
  }

  @Test
  void duringACaptureNothingGoesBack() {
    pools.use(100);
    Capture capture = manager.beginCapture();
    assertThat(manager.beginCapture()).isSameAs(capture);
    assertThat(manager.trim()).isEqualTo(MemorySize.ZERO);
    assertThatThrownBy(() -> manager.install(MemoryPoolsConfig.of(MemoryPoolConfig.direct())))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("capture");
    capture.close();
    capture.close();
    assertThat(capture.end().sizes()).isEmpty();
    assertThat(manager.trim()).isEqualTo(bytes(4096));
  }

  @Test
  void whatIsOpenOnAManagerEndsSilentlyWithIt() {
    PersistentWindow window = manager.openPersistentWindow();
    DryRun run = manager.openDryRun();
    Capture ended = manager.beginCapture();
    pools.use(100);
    CapturePin pin = ended.end();
    Capture underWay = manager.beginCapture();
    Allocation live = manager.allocate(100);
    manager.close();
    underWay.endPriming();
    assertThat(underWay.end().sizes()).isEmpty();
    underWay.close();
    pin.close();
    run.close();
    window.close();
    live.close();
    assertThat(manager.usage().reserved()).isEqualTo(MemorySize.ZERO);
    assertThat(manager.usage().pinned()).isEqualTo(MemorySize.ZERO);
  }

  @Test
  void noManagerOfTheStorageIsCleanedUpWhileOneCaptures() {
    try (MemoryManager other =
        MemoryManager.open(pools.failing, MemoryPoolsConfig.of(sliced(8192)))) {
      other.allocate(1).close();
      Capture capture = manager.beginCapture();
      pools.failing.refuse(call -> call.kind() == StorageCall.Kind.ALLOCATE);
      assertThatThrownBy(() -> manager.allocate(100)).hasMessageContaining("out of device memory");
      assertThat(pools.device.allocated()).isEqualTo(bytes(8192));
      capture.close();
      assertThatThrownBy(() -> manager.allocate(100)).hasMessageContaining("out of device memory");
      assertThat(pools.device.allocated()).isEqualTo(MemorySize.ZERO);
      pools.failing.recover();
    }
  }

  @Test
  void aDryRunCostsNoMemoryUntilAnAllocationIsAskedForIt() {
    DryRun run = manager.openDryRun();
    Allocation first = manager.allocate(1000);
    Allocation second = manager.allocate(4096);
    run.close();
    run.close();
    assertThat(manager.usage().reserved()).isEqualTo(bytes(8192));
    assertThat(pools.device.allocated()).isEqualTo(MemorySize.ZERO);
    assertThat(pools.pool(0).pagesUnmapped()).isEqualTo(2);
    assertThat(first.address()).isNotZero();
    assertThat(pools.device.allocated()).isEqualTo(bytes(4096));
    assertThat(pools.pool(0).pagesUnmapped()).isEqualTo(1);
    manager.checkInvariants();
    first.close();
    second.close();
    assertThat(manager.trim()).isEqualTo(bytes(8192));
    assertThat(pools.calls()).containsExactly("+4096", "-4096");
  }

  @Test
  void aMappingThatFailsCanBeAskedForAgain() {
    Allocation allocation;
    try (DryRun _ = manager.openDryRun()) {
      allocation = manager.allocate(1000);
    }
    pools.failing.refuse(call -> call.kind() == StorageCall.Kind.ALLOCATE);
    assertThatThrownBy(allocation::block).isInstanceOf(DeviceMemoryException.class);
    pools.failing.recover();
    assertThat(allocation.block().byteSize()).isEqualTo(4096);
    allocation.close();
  }

  @Test
  void aNormalRequestNeverLandsInUnmappedMemory() {
    Allocation dry;
    try (DryRun _ = manager.openDryRun()) {
      dry = manager.allocate(1000);
    }
    pools.failing.refuse(call -> call.kind() == StorageCall.Kind.ALLOCATE);
    assertThatThrownBy(() -> manager.allocate(1000)).hasMessageContaining("out of device memory");
    manager.checkInvariants();
    assertThat(manager.usage().allocations()).isEqualTo(1);
    pools.failing.recover();
    Allocation real = manager.allocate(1000);
    assertThat(real.block()).isSameAs(dry.block());
    assertThat(pools.calls()).containsExactly("+4096");
    real.close();
    dry.close();
  }

  @Test
  void periodsAndReclaimDropUnmappedPagesWithoutTheDriver() {
    try (Pools direct = new Pools(MemoryPoolConfig.direct().withReclaimAt(bytes(1024)))) {
      try (DryRun _ = direct.manager.openDryRun()) {
        direct.use(1024);
        direct.use(512);
        assertThat(direct.reserved()).isEqualTo(512);
      }
      assertThat(direct.calls()).isEmpty();
    }
  }

  @Test
  void retainedHandlesShareASlice() {
    Allocation first = pools.allocate(1000);
    assertThat(first.canMutate()).isTrue();
    Allocation second = first.retain();
    assertThat(second.byteOffset()).isEqualTo(first.byteOffset());
    assertThat(first.canMutate()).isFalse();
    first.close();
    assertThatThrownBy(first::retain).isInstanceOf(IllegalStateException.class);
    assertThat(second.canMutate()).isTrue();
    assertThat(manager.usage().allocations()).isEqualTo(1);
    second.close();
    assertThat(manager.usage().allocations()).isZero();
  }

  @Test
  void zeroSizedAllocationsAreRetainedLikeOthers() {
    Allocation first = pools.allocate(0);
    Allocation second = first.retain();
    first.usedUntil(TestFence.open());
    first.close();
    assertThat(manager.usage().allocations()).isEqualTo(1);
    second.close();
    assertThat(manager.usage().allocations()).isZero();
    assertThat(List.of(manager.usage().pending(), manager.usage().reserved()))
        .containsOnly(MemorySize.ZERO);
  }
}
