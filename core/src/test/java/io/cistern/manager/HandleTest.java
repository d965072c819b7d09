package io.cistern.manager;

import static io.cistern.manager.Pools.bytes;
import static io.cistern.manager.Pools.exclusive;
import static io.cistern.manager.Pools.sliced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.LiveAllocation;
import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.MemoryEvent;
import io.cistern.storage.MemoryListener;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Section 7: handles are closed once, by any thread, and never touch a later owner. */
class HandleTest {

  interface OtherBlock extends StorageBlock {}

  /** Logged with its stack trace, of which there is none. */
  private static final class QuietError extends Error {
    private static final long serialVersionUID = 1L;

    QuietError(String message) {
      super(message, null, false, false);
    }
  }

  @Test
  void closingTwiceIsAnErrorThatTouchesNoOther() {
    try (Pools pools = new Pools(sliced(4096))) {
      Allocation first = pools.allocate(100);
      first.close();
      Allocation next = pools.allocate(100);
      assertThat(next.byteOffset()).isZero();
      assertThatThrownBy(first::close)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed already; pool 0 served it");
      assertThat(next.isAlive()).isTrue();
      assertThat(pools.manager.usage().allocations()).isEqualTo(1);
      pools.manager.checkInvariants();
    }
  }

  @Test
  void anyUseAfterTheCloseIsAnError() {
    try (Pools pools = new Pools(sliced(4096))) {
      Allocation closed = pools.allocate(100);
      assertThat(closed.toString()).isEqualTo("Allocation[100 bytes, pool 0]");
      closed.close();
      assertThat(closed.isAlive()).isFalse();
      assertThat(closed.toString()).contains("closed");
      assertUnusable(closed);
    }
  }

  private static void assertUnusable(Allocation closed) {
    for (Runnable use :
        List.<Runnable>of(
            closed::byteSize,
            closed::byteOffset,
            closed::block,
            () -> closed.block(StorageBlock.class),
            closed::segment,
            closed::address)) {
      assertThatThrownBy(use::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
    }
  }

  @Test
  void aBlockOfAnotherTypeNamesBoth() {
    try (Pools pools = new Pools(sliced(4096))) {
      Allocation allocation = pools.allocate(100);
      assertThat(allocation.block(StorageBlock.class)).isSameAs(allocation.block());
      assertThatThrownBy(() -> allocation.block(OtherBlock.class))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("OtherBlock")
          .hasMessageContaining("SimulatedStorage");
      assertThatThrownBy(allocation::segment).isInstanceOf(UnsupportedOperationException.class);
      Allocation zero = pools.allocate(0);
      assertThatThrownBy(zero::block)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("zero-sized");
    }
  }

  @Test
  void closingAManagerGivesEveryPageBackAndTellsWhatWasLive() {
    try (Pools pools = new Pools(sliced(4096), exclusive(65536))) {
      Allocation live = pools.manager.allocate(1000);
      Allocation large = pools.manager.allocate(65536);
      pools.use(5000);
      pools.manager.close();
      pools.manager.close();
      assertThat(pools.device.allocated()).isEqualTo(MemorySize.ZERO);
      assertThat(pools.events)
          .containsOnlyOnce(
              new MemoryEvent.Closed(
                  2,
                  66536,
                  List.of(
                      new LiveAllocation(1000, 0, "", ""), new LiveAllocation(65536, 1, "", ""))));
      assertThat(live.isAlive()).isFalse();
      assertUnusable(large);
      live.close();
      large.close();
      assertThatThrownBy(live::close).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> pools.manager.allocate(1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("\"test\" is closed");
      assertThatThrownBy(pools.manager::trim).isInstanceOf(IllegalStateException.class);
      assertThat(pools.manager.usage().reserved()).isEqualTo(MemorySize.ZERO);
    }
  }

  @Test
  void aManagerClosesAlsoAfterItsStorage() {
    try (Pools pools = new Pools(sliced(4096), exclusive(65536))) {
      pools.use(1000);
      pools.use(65536);
      pools.storage.close();
      pools.manager.close();
      assertThat(pools.manager.usage().reserved()).isEqualTo(MemorySize.ZERO);
    }
  }

  @Test
  void ofRacingClosesExactlyOneWins() throws Exception {
    int threads = 4;
    try (Pools pools = new Pools(sliced(4096));
        ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      for (int round = 0; round < 500; round++) {
        Allocation contended = pools.manager.allocate(100);
        AtomicInteger wins = new AtomicInteger();
        CountDownLatch start = new CountDownLatch(1);
        List<Future<?>> racers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          racers.add(
              executor.submit(
                  () -> {
                    start.await();
                    try {
                      contended.close();
                      wins.incrementAndGet();
                    } catch (IllegalStateException lost) {
                      assertThat(lost).hasMessageContaining("closed already");
                    }
                    return null;
                  }));
        }
        start.countDown();
        for (Future<?> racer : racers) {
          racer.get();
        }
        assertThat(wins).hasValue(1);
        assertThat(pools.manager.usage().allocations()).isZero();
      }
    }
  }

  @Test
  void manyThreadsAllocateAndCloseEachOthersHandles() throws Exception {
    int threads = 4;
    try (SimulatedStorage device = SimulatedStorage.withCapacity(MemorySize.ofGiB(1));
        MemoryManager manager =
            MemoryManager.open(device, MemoryPoolsConfig.of(sliced(1 << 16), exclusive(1 << 20)));
        ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      ConcurrentLinkedQueue<Allocation> shared = new ConcurrentLinkedQueue<>();
      List<Future<?>> workers = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        Random random = new Random(t);
        workers.add(
            executor.submit(
                () -> {
                  for (int i = 0; i < 20_000; i++) {
                    Allocation other = random.nextBoolean() ? shared.poll() : null;
                    if (other != null) {
                      other.close();
                    } else {
                      shared.add(manager.allocate(random.nextInt(100_000)));
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> worker : workers) {
        worker.get();
      }
      manager.checkInvariants();
      shared.forEach(Allocation::close);
      manager.checkInvariants();
      assertThat(manager.usage().inUse()).isEqualTo(bytes(0));
      manager.trim();
      assertThat(device.allocated()).isEqualTo(bytes(0));
    }
  }

  @Test
  void listenersAreCalledOutsideTheLockAndContained() {
    try (SimulatedStorage device = SimulatedStorage.withCapacity(MemorySize.ofMiB(1))) {
      List<MemoryEvent> heard = new ArrayList<>();
      MemoryManager[] self = new MemoryManager[1];
      MemoryListener listener =
          new MemoryListener() {
            @Override
            public void on(MemoryEvent event) {
              heard.add(event);
              Thread other = Thread.ofPlatform().start(() -> self[0].usage());
              try {
                other.join(); // Would never end if this thread held the lock.
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              throw new QuietError("from the listener");
            }

            @Override
            public boolean wantsRequests() {
              return true;
            }
          };
      self[0] =
          MemoryManager.builder(device)
              .pools(MemoryPoolsConfig.of(sliced(4096)))
              .listener(listener)
              .open();
      self[0].allocate(100).close();
      self[0].trim();
      self[0].close();
      assertThat(heard)
          .containsExactly(
              new MemoryEvent.PageMade(0, 4096),
              new MemoryEvent.Served(0, 100),
              new MemoryEvent.Released(0, 100),
              new MemoryEvent.PageGivenBack(0, 4096),
              new MemoryEvent.CleanedUp(4096),
              new MemoryEvent.Closed(0, 0, List.of()));
    }
  }
}
