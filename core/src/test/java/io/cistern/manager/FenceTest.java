package io.cistern.manager;

import static io.cistern.manager.Pools.bytes;
import static io.cistern.manager.Pools.sliced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cistern.MemorySize;
import io.cistern.OutOfDeviceMemoryException;
import io.cistern.PoolCapacityException;
import io.cistern.PoolsInUseException;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.SimulatedStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sections 5 and 7: device work keeps closed slices out of reach until its fences have passed. */
class FenceTest {

  private static final MemoryPoolConfig.Sliced ONE_PAGE = sliced(4096).withMaxPoolSize(bytes(4096));

  private final SimulatedStorage device = SimulatedStorage.withCapacity(MemorySize.of(1 << 20));
  private MemoryManager manager;

  private MemoryManager open(Duration maxWait, MemoryPoolConfig... pools) {
    manager =
        MemoryManager.builder(device).pools(MemoryPoolsConfig.of(pools)).maxWait(maxWait).open();
    return manager;
  }

  @AfterEach
  void close() {
    if (manager != null) {
      manager.checkInvariants();
      manager.close();
      assertThat(device.allocated()).isEqualTo(MemorySize.ZERO);
    }
  }

  private long pending() {
    manager.checkInvariants();
    return manager.usage().pending().bytes();
  }

  private Allocation closedUntil(long byteSize, TestFence... fences) {
    Allocation allocation = manager.allocate(byteSize);
    for (TestFence fence : fences) {
      allocation.usedUntil(fence);
    }
    allocation.close();
    return allocation;
  }

  @Test
  void aPageThatAnotherPoolsRequestFreedGoesBackWhenItsPeriodEnds() {
    open(Duration.ZERO, sliced(4096), MemoryPoolConfig.exclusive(bytes(8192)).withDeallocPeriod(3));
    for (int i = 0; i < 8; i++) {
      closedUntil(100, TestFence.open());
    }
    var fence = TestFence.open();
    closedUntil(8192, fence);
    assertThat(manager.usage().reserved()).isEqualTo(bytes(4096 + 8192));

    fence.pass();
    // Too few fences are asked for this one to be seen, but where a page has to be made.
    Allocation grown = manager.allocate(4096);
    manager.checkInvariants();
    assertThat(manager.report().pools().get(1).usage().pending()).isEqualTo(MemorySize.ZERO);
    grown.close();
    for (int i = 0; i < 4; i++) {
      assertThat(manager.report().pools().get(1).pages()).isOne();
      manager.allocate(1).close();
    }
    assertThat(manager.report().pools().get(1).pages()).isZero();
  }

  @Test
  void aClosedSliceIsOutOfReachUntilItsFenceHasPassed() {
    open(Duration.ZERO, sliced(4096));
    TestFence fence = TestFence.open();
    closedUntil(1000, fence);
    assertThat(pending()).isEqualTo(1024);
    assertThat(manager.usage().allocations()).isZero();
    assertThat(manager.usage().inUse()).isEqualTo(MemorySize.ZERO);
    Allocation other = manager.allocate(1000);
    assertThat(other.byteOffset()).isNotZero();
    fence.pass();
    Allocation next = manager.allocate(1000);
    assertThat(next.byteOffset()).isZero();
    assertThat(pending()).isZero();
    other.close();
    next.close();
  }

  @Test
  void allFencesOfAllHoldersHaveToPass() {
    open(Duration.ZERO, ONE_PAGE);
    TestFence first = TestFence.open();
    TestFence second = TestFence.open();
    Allocation allocation = manager.allocate(4096);
    Allocation retained = allocation.retain();
    retained.usedUntil(second);
    retained.close();
    allocation.usedUntil(first);
    allocation.close();
    first.pass();
    assertThatThrownBy(() -> manager.allocate(4096)).hasMessageContaining("pending 4096");
    second.pass();
    manager.allocate(4096).close();
    assertThat(pending()).isZero();
  }

  @Test
  void fencesThatHavePassedAtTheCloseKeepNothing() {
    open(Duration.ZERO, ONE_PAGE);
    TestFence fence = TestFence.open();
    fence.pass();
    closedUntil(4096, fence);
    assertThat(pending()).isZero();
    manager.allocate(4096).close();
  }

  @Test
  void aRequestThatCantBeServedWaitsForPendingFrees() {
    open(Duration.ofSeconds(60), ONE_PAGE);
    TestFence fence = TestFence.passingOnAwait();
    closedUntil(4096, fence);
    Allocation served = manager.allocate(4096);
    assertThat(fence.awaited).hasValue(1);
    served.close();
  }

  @Test
  void aWaitGoesOnUntilTheRequestFits() {
    open(Duration.ofSeconds(60), ONE_PAGE);
    List<TestFence> fences = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      fences.add(TestFence.passingOnAwait());
    }
    List<Allocation> quarters = new ArrayList<>();
    fences.forEach(fence -> quarters.add(manager.allocate(1024)));
    for (int i = 0; i < 4; i++) {
      quarters.get(i).usedUntil(fences.get(i));
      quarters.get(i).close();
    }
    Allocation half = manager.allocate(2048);
    assertThat(fences.stream().filter(fence -> fence.awaited.get() > 0)).hasSizeBetween(2, 4);
    half.close();
  }

  @Test
  void aSpillComesBeforeAWait() {
    open(Duration.ofSeconds(60), ONE_PAGE, MemoryPoolConfig.direct());
    TestFence fence = TestFence.passingOnAwait();
    closedUntil(4096, fence);
    Allocation spilled = manager.allocate(4096);
    assertThat(spilled.pool()).isEqualTo(1);
    assertThat(fence.awaited).hasValue(0);
    spilled.close();
  }

  @Test
  void aPoolThatDoesNotAcceptTheSizeIsNotWaitedFor() {
    open(
        Duration.ofSeconds(60),
        sliced(1024).withMaxPoolSize(bytes(1024)),
        sliced(4096).withMaxPoolSize(bytes(4096)));
    TestFence fence = TestFence.open();
    closedUntil(1024, fence);
    Allocation all = manager.allocate(4096);
    assertThatThrownBy(() -> manager.allocate(4096)).isInstanceOf(PoolCapacityException.class);
    assertThat(fence.awaited).hasValue(0);
    fence.pass();
    all.close();
  }

  @Test
  void aFullPoolDoesNotWaitForPersistentMemory() {
    open(Duration.ofMinutes(1), ONE_PAGE);
    TestFence fence = TestFence.open();
    try (PersistentWindow _ = manager.openPersistentWindow()) {
      closedUntil(100, fence);
    }
    Allocation all = manager.allocate(4096);

    assertThatThrownBy(() -> manager.allocate(1)).isInstanceOf(PoolCapacityException.class);

    assertThat(fence.awaited).hasValue(0);
    all.close();
    fence.pass();
  }

  @Test
  void aWaitIsBoundedAndTheErrorSaysHowLongItWas() {
    open(Duration.ofMillis(20), ONE_PAGE);
    TestFence fence = TestFence.open();
    closedUntil(4096, fence);
    PoolCapacityException error =
        catchThrowableOfType(PoolCapacityException.class, () -> manager.allocate(1));
    assertThat(error.pending()).isEqualTo(4096);
    assertThat(error.waited()).isGreaterThanOrEqualTo(Duration.ofMillis(20));
    assertThat(error).hasMessageContaining("pending 4096 after a wait of");
    assertThat(pending()).isEqualTo(4096);
    fence.pass();
  }

  @Test
  void aFenceThatNeverComesDoesNotHideOthers() {
    open(Duration.ofSeconds(60), ONE_PAGE);
    TestFence never = TestFence.open();
    closedUntil(1024, never);
    TestFence comes = TestFence.passingOnAwait();
    closedUntil(3072, comes);
    Allocation served = manager.allocate(2048);
    assertThat(pending()).isEqualTo(1024);
    served.close();
    never.pass();
  }

  @Test
  void anInterruptEndsAWaitAndStays() {
    open(Duration.ofSeconds(60), ONE_PAGE);
    TestFence fence = TestFence.open();
    closedUntil(4096, fence);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> manager.allocate(1)).isInstanceOf(PoolCapacityException.class);
    assertThat(Thread.interrupted()).isTrue();
    fence.pass();
  }

  @Test
  void aDriversRefusalWaitsToo() {
    open(Duration.ofSeconds(60), MemoryPoolConfig.direct());
    long half = 1 << 19;
    TestFence fence = TestFence.passingOnAwait();
    Allocation other = manager.allocate(half);
    closedUntil(half, fence);
    Allocation larger = manager.allocate(half / 2);
    assertThat(fence.awaited).hasValue(1);
    larger.close();
    other.close();
  }

  @Test
  void outOfMemoryExplainsWhatIsHeldAndByWhom() {
    open(Duration.ZERO, MemoryPoolConfig.direct());
    TestFence fence = TestFence.open();
    closedUntil(1024, fence);
    Allocation weights = manager.allocate(600_000, "weights");
    Allocation small = manager.allocate(1000);
    OutOfDeviceMemoryException error =
        catchThrowableOfType(
            OutOfDeviceMemoryException.class, () -> manager.allocate(1_000_000, "too much"));
    assertThat(error.held().pending()).isEqualTo(1024);
    assertThat(error.held().inUse()).isEqualTo(601_000);
    assertThat(error.largest()).extracting(one -> one.byteSize()).containsExactly(600_000L, 1000L);
    assertThat(error)
        .hasMessageContaining("600000 bytes in pool 0, \"weights\"")
        .hasMessageContaining("fragmentation 0.00");
    fence.pass();
    weights.close();
    small.close();
  }

  @Test
  void aPageIsFreeWhenItsLastSliceIsNoLongerPending() {
    open(Duration.ZERO, sliced(4096).withDeallocPeriod(0));
    TestFence fence = TestFence.open();
    closedUntil(4096, fence);
    manager.trim();
    assertThat(device.allocated()).isEqualTo(MemorySize.of(4096));
    fence.pass();
    assertThat(manager.trim()).isEqualTo(MemorySize.of(4096));
  }

  @Test
  void anInstallWaitsForPendingFreesAndIsRefusedWhenTheyDoNotCome() {
    open(Duration.ofMillis(1), sliced(4096));
    TestFence late = TestFence.open();
    closedUntil(1000, late);
    MemoryPoolsConfig other = MemoryPoolsConfig.of(sliced(8192));
    assertThatThrownBy(() -> manager.install(other))
        .isInstanceOf(PoolsInUseException.class)
        .hasMessageContaining("1024 bytes are pending");
    assertThat(manager.usage().reserved()).isEqualTo(MemorySize.of(4096));
    late.pass();
    closedUntil(1000, TestFence.passingOnAwait());
    manager.install(other);
    assertThat(manager.layout().config()).isEqualTo(other);
  }

  @Test
  void aRequestAsksFewFencesHoweverManyArePending() {
    open(Duration.ZERO, sliced(1 << 19));
    List<TestFence> fences = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      TestFence fence = TestFence.open();
      fences.add(fence);
      closedUntil(256, fence);
    }
    fences.forEach(fence -> fence.asked.set(0));
    manager.allocate(256).close();
    assertThat(fences.stream().mapToInt(fence -> fence.asked.get()).sum()).isLessThanOrEqualTo(2);
    fences.forEach(TestFence::pass);
    for (int i = 0; i < 500; i++) {
      manager.allocate(256).close();
    }
    assertThat(pending()).isZero();
  }

  @Test
  void dataThatIsUsedForLongGathersNoFences() {
    open(Duration.ZERO, ONE_PAGE);
    Allocation weights = manager.allocate(4096);
    TestFence last = TestFence.open();
    for (int i = 0; i < 10_000; i++) {
      TestFence step = TestFence.open();
      weights.usedUntil(step);
      step.pass();
      assertThat(step.asked.get()).isLessThan(10);
    }
    weights.usedUntil(last);
    weights.close();
    assertThat(pending()).isEqualTo(4096);
    last.pass();
    manager.allocate(4096).close();
  }
}
