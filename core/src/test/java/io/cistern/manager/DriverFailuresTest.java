package io.cistern.manager;

import static io.cistern.manager.Pools.bytes;
import static io.cistern.manager.Pools.exclusive;
import static io.cistern.manager.Pools.sliced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cistern.DeviceMemoryException;
import io.cistern.DeviceMemoryException.Reason;
import io.cistern.MemorySize;
import io.cistern.MemoryUsage;
import io.cistern.OutOfDeviceMemoryException;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.storage.MemoryEvent;
import io.cistern.storage.StorageCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** A driver in trouble, of each kind: typed errors, totals as before, nothing leaked. */
class DriverFailuresTest {

  private static final long PAGE = 65_536;

  private static boolean allocates(StorageCall call) {
    return call.kind() == StorageCall.Kind.ALLOCATE;
  }

  private static boolean frees(StorageCall call) {
    return call.kind() == StorageCall.Kind.FREE;
  }

  private static Pools pools() {
    return new Pools(sliced(PAGE), exclusive(4 * PAGE), MemoryPoolConfig.direct());
  }

  @ParameterizedTest
  @EnumSource
  void aRefusedBlockIsToldByItsReasonAndChangesNothing(Reason reason) {
    try (Pools pools = pools()) {
      Allocation held = pools.allocate(1000);
      MemoryUsage before = pools.manager.usage();
      pools.failing.refuse(DriverFailuresTest::allocates, reason);
      for (long byteSize : new long[] {PAGE, 2 * PAGE, 5 * PAGE}) {
        assertThatExceptionOfType(OutOfDeviceMemoryException.class)
            .isThrownBy(() -> pools.manager.allocate(byteSize))
            .satisfies(
                e ->
                    assertThat(e.getCause())
                        .isInstanceOfSatisfying(
                            DeviceMemoryException.class,
                            cause -> assertThat(cause.reason()).isEqualTo(reason)));
        pools.manager.checkInvariants();
        assertThat(pools.manager.usage().inUse()).isEqualTo(before.inUse());
        assertThat(pools.manager.usage().reserved()).isEqualTo(before.reserved());
        assertThat(pools.manager.usage().allocations()).isEqualTo(before.allocations());
        assertThat(pools.device.allocated().bytes()).isEqualTo(PAGE);
      }
      // What is there serves on, and the device does once it can.
      pools.allocate(1000);
      pools.failing.recover();
      pools.allocate(2 * PAGE);
      held.close();
    }
  }

  @Test
  void outOfMemoryIsServedByWhatPoolsHoldIdle() {
    try (Pools pools = pools()) {
      pools.use(PAGE);
      pools.failing.refuse(
          call -> allocates(call) && pools.device.allocated().bytes() > 0, Reason.OUT_OF_MEMORY);
      pools.allocate(2 * PAGE);
      assertThat(pools.calls()).startsWith("+65536").endsWith("-65536", "+131072");
    }
  }

  @Test
  void aDeviceThatGivesNoMoreBlocksIsServedByWhatPoolsHoldIdle() {
    try (Pools pools = pools()) {
      pools.use(PAGE);
      pools.failing.refuse(
          call -> allocates(call) && pools.device.allocated().bytes() > 0, Reason.TOO_MANY_BLOCKS);
      pools.allocate(5 * PAGE);
      assertThat(pools.manager.usage().allocations()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "DEVICE_LOST")
  void aBlockThatIsNotTakenBackStaysInAccountUntilItIs(Reason reason) {
    try (Pools pools = pools()) {
      pools.use(PAGE);
      pools.use(2 * PAGE);
      MemorySize reserved = pools.manager.usage().reserved();
      pools.failing.refuse(DriverFailuresTest::frees, reason);
      assertThat(pools.manager.trim()).isEqualTo(MemorySize.ZERO);
      pools.manager.checkInvariants();
      assertThat(pools.manager.usage().reserved()).isEqualTo(reserved);
      assertThat(pools.device.allocated()).isEqualTo(reserved);
      assertThat(pools.events)
          .filteredOn(MemoryEvent.PageKept.class::isInstance)
          .isNotEmpty()
          .allSatisfy(
              event ->
                  assertThat(((MemoryEvent.PageKept) event).cause().reason()).isEqualTo(reason));
      pools.use(PAGE);
      assertThat(pools.manager.usage().reserved()).isEqualTo(reserved);
      pools.failing.recover();
      assertThat(pools.manager.trim()).isEqualTo(reserved);
      assertThat(pools.device.allocated()).isEqualTo(MemorySize.ZERO);
    }
  }

  @Test
  void aLostDevicesManagerIsClosedAndItsStorageEndsTheRest() {
    Pools pools = pools();
    Allocation small = pools.allocate(1000);
    Allocation large = pools.allocate(5 * PAGE);
    pools.failing.refuse(call -> true, Reason.DEVICE_LOST);
    assertThatExceptionOfType(OutOfDeviceMemoryException.class)
        .isThrownBy(() -> pools.manager.allocate(2 * PAGE));
    small.close();
    assertThat(pools.manager.usage().inUse()).isEqualTo(bytes(5 * PAGE));
    pools.manager.checkInvariants();
    pools.manager.close();
    assertThat(large.isAlive()).isFalse();
    large.close();
    pools.storage.close();
    assertThat(pools.device.allocated()).isEqualTo(MemorySize.ZERO);
  }
}
