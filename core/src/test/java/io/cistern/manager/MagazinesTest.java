package io.cistern.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.LiveAllocation;
import io.cistern.MemorySize;
import io.cistern.OutOfDeviceMemoryException;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.FailingStorage;
import io.cistern.storage.MemoryEvent;
import io.cistern.storage.MemoryListener;
import io.cistern.storage.SimulatedStorage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Magazines change no rule of sections 5 to 9: not what is counted, and not what is had. */
class MagazinesTest {

  private static final MemorySize PAGE = MemorySize.ofMiB(1);
  private static final int THREADS = 4;

  private final SimulatedStorage device = SimulatedStorage.withCapacity(MemorySize.ofGiB(4));

  @AfterEach
  void close() {
    device.close();
  }

  private MemoryManager open(MemoryPoolConfig... pools) {
    return MemoryManager.open(device, MemoryPoolsConfig.of(pools));
  }

  @Test
  void whatIsOnAShelfCountsAsFreeAndAsReserved() {
    try (MemoryManager manager = open(MemoryPoolConfig.sliced(PAGE))) {
      for (int i = 0; i < 100; i++) {
        manager.allocate(i * 37L).close();
      }
      assertThat(manager.usage().inUse()).isEqualTo(MemorySize.ZERO);
      assertThat(manager.usage().reserved()).isEqualTo(PAGE);
      MemoryReport.PoolReport pool = manager.report().pools().getFirst();
      assertThat(pool.served()).isEqualTo(100);
      assertThat(pool.free()).isEqualTo(PAGE);
      MemoryReport.PageReport page = manager.pages(0).getFirst();
      assertThat(page.free()).isEqualTo(PAGE);
      assertThat(page.largestFree()).isEqualTo(PAGE);
      assertThat(page.slices()).isZero();
    }
  }

  @Test
  void aSliceThatCouldNotBeMappedGoesBackToTheShelfOfItsSize() {
    FailingStorage driver = new FailingStorage(device);
    for (int seed = 0; seed < 50; seed++) {
      driver.recover();
      try (MemoryManager manager =
          MemoryManager.open(driver, MemoryPoolsConfig.of(MemoryPoolConfig.sliced(PAGE)))) {
        Random random = new Random(seed);
        List<Allocation> live = new ArrayList<>();
        DryRun dryRun = manager.openDryRun();
        for (int i = 0; i < 40; i++) {
          live.add(manager.allocate(256L * random.nextInt(1, 20)));
          if (random.nextInt(3) > 0) {
            live.remove(random.nextInt(live.size())).close();
          }
          if (random.nextInt(10) == 0) {
            manager.trim();
          }
        }
        dryRun.close();
        driver.refuse(_ -> true);
        for (int i = 0; i < 20; i++) {
          long size = 256L * random.nextInt(1, 20);
          assertThatThrownBy(() -> manager.allocate(size))
              .isInstanceOf(OutOfDeviceMemoryException.class);
        }
        driver.recover();
        for (int i = 0; i < 60; i++) {
          live.add(manager.allocate(256L * random.nextInt(1, 20)));
        }
        manager.checkInvariants();
        checkNoneOverlap(live);
        live.forEach(Allocation::close);
      }
    }
  }

  private static void checkNoneOverlap(List<Allocation> live) {
    TreeMap<Long, Long> ends = new TreeMap<>();
    for (Allocation one : live) {
      long address = one.address();
      Map.Entry<Long, Long> before = ends.lowerEntry(address + one.byteSize());
      assertThat(before == null || before.getValue() <= address).as("%s is its own", one).isTrue();
      ends.put(address, address + one.byteSize());
    }
  }

  @Test
  void theyAreEmptiedBeforeAPoolIsFull() {
    try (MemoryManager manager = open(MemoryPoolConfig.sliced(PAGE).withMaxPoolSize(PAGE))) {
      for (int size = 64; size <= 32 << 10; size += 64) {
        manager.allocate(size).close();
      }
      manager.allocate(PAGE.bytes()).close();
    }
  }

  @Test
  void theyAreEmptiedBeforeAPoolSpills() {
    try (MemoryManager manager =
        open(MemoryPoolConfig.sliced(PAGE).withMaxPoolSize(PAGE), MemoryPoolConfig.direct())) {
      manager.allocate(1000).close();
      try (Allocation whole = manager.allocate(PAGE.bytes())) {
        assertThat(whole.pool()).isZero();
      }
    }
  }

  @Test
  void theyAreEmptiedByATrimAlsoThoseOfThreadsThatHaveEnded() throws Exception {
    try (MemoryManager manager = open(MemoryPoolConfig.sliced(PAGE))) {
      for (int i = 0; i < 100; i++) {
        Thread.Builder builder = i % 2 == 0 ? Thread.ofVirtual() : Thread.ofPlatform();
        builder.start(() -> manager.allocate(1000).close()).join();
      }
      manager.checkInvariants();
      assertThat(manager.trim()).isEqualTo(PAGE);
      assertThat(manager.usage().reserved()).isEqualTo(MemorySize.ZERO);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSliceGoesBackToWhereItCameFromWhoeverClosesIt(boolean objects) throws Exception {
    try (MemoryManager manager = open(MemoryPoolConfig.sliced(PAGE))) {
      Handles handles = manager.handles();
      Set<Long> places = new HashSet<>();
      for (int i = 0; i < 100; i++) {
        Runnable close;
        if (objects) {
          Allocation allocation = manager.allocate(1000);
          places.add(allocation.byteOffset());
          close = allocation::close;
        } else {
          long handle = handles.allocate(1000);
          places.add(handles.byteOffset(handle));
          close = () -> handles.close(handle);
        }
        Thread.ofPlatform().start(close).join();
        manager.checkInvariants();
      }
      assertThat(places).as("places of one live allocation").hasSize(1);
    }
  }

  @Test
  void aPageIsFilledToItsEnd() {
    int granule = (int) device.properties().byteAlignment();
    // A size whose class is larger than it, so that the last slices have the request's own size.
    int size = 33 * granule;
    try (MemoryManager manager = open(MemoryPoolConfig.sliced(PAGE).withMaxPoolSize(PAGE))) {
      long used = 0;
      List<Allocation> all = new ArrayList<>();
      while (used + 2L * size <= PAGE.bytes() * 16 / 17) {
        all.add(manager.allocate(size));
        used += size;
      }
      manager.checkInvariants();
      all.forEach(Allocation::close);
      manager.checkInvariants();
    }
  }

  @Test
  void requestsThatTakeNoLockCountForAPeriod() {
    for (int period = 0; period < 40; period++) {
      try (MemoryManager manager =
          open(
              MemoryPoolConfig.sliced(PAGE).withMaxSliceSize(MemorySize.ofKiB(64)),
              MemoryPoolConfig.exclusive(PAGE).withDeallocPeriod(period))) {
        Deque<Allocation> some = new ArrayDeque<>();
        for (int i = 0; i < 100; i++) {
          some.add(manager.allocate(1000));
        }
        some.forEach(Allocation::close);
        manager.allocate(PAGE.bytes() / 2).close();
        for (int i = 0; i < period; i++) {
          manager.allocate(1000).close();
        }
        assertThat(manager.usage().reserved()).isGreaterThan(PAGE);
        manager.allocate(1000).close();
        assertThat(manager.usage().reserved()).as("period %s", period).isEqualTo(PAGE);
      }
    }
  }

  @Test
  void whatIsLiveIsToldInTheOrderOfItsRequests() {
    List<Long> told = new ArrayList<>();
    MemoryListener listener =
        event -> {
          if (event instanceof MemoryEvent.Closed closed) {
            closed.live().stream().map(LiveAllocation::byteSize).forEach(told::add);
          }
        };
    List<Long> sizes = LongStream.rangeClosed(1, 500).map(i -> i * 7919 % 300_000).boxed().toList();
    try (MemoryManager manager =
        MemoryManager.builder(device)
            .pools(MemoryPoolsConfig.of(MemoryPoolConfig.sliced(PAGE), MemoryPoolConfig.direct()))
            .listener(listener)
            .open()) {
      sizes.stream().map(manager::allocate).toList().forEach(Allocation::close);
      sizes.forEach(manager::allocate);
    }
    assertThat(told).isEqualTo(sizes);
  }

  /** Who has which granules of which block; whoever gets one that is taken has found a fault. */
  private final class Territory {

    private final Map<Object, AtomicIntegerArray> blocks = new ConcurrentHashMap<>();
    private final int granule = (int) device.properties().byteAlignment();

    private AtomicIntegerArray of(Allocation allocation) {
      return blocks.computeIfAbsent(
          allocation.block(),
          block -> new AtomicIntegerArray((int) (allocation.block().byteSize() / granule)));
    }

    void take(Allocation allocation) {
      change(allocation, 0, 1);
    }

    void leave(Allocation allocation) {
      change(allocation, 1, 0);
    }

    private void change(Allocation allocation, int from, int to) {
      AtomicIntegerArray block = of(allocation);
      int first = (int) (allocation.byteOffset() / granule);
      int end = first + (int) ((allocation.byteSize() + granule - 1) / granule);
      for (int i = first; i < end; i++) {
        assertThat(block.compareAndSet(i, from, to)).as("granule %s is had once", i).isTrue();
      }
    }
  }

  /** Threads that allocate, close their own, and close what others have handed to them. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void noMemoryIsHadTwiceAndTotalsAreExactWhateverTheThreadsDo(long seed) throws Exception {
    Territory territory = new Territory();
    LinkedTransferQueue<Allocation> handedOver = new LinkedTransferQueue<>();
    try (MemoryManager manager =
            open(
                MemoryPoolConfig.sliced(PAGE).withMaxPoolSize(PAGE.times(1 + (int) seed)),
                MemoryPoolConfig.sliced(PAGE.times(4)),
                MemoryPoolConfig.exclusive(PAGE.times(8)).withDeallocPeriod(50));
        ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1)) {
      List<Future<List<Allocation>>> running = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        Random random = new Random(seed * THREADS + t);
        running.add(threads.submit(() -> work(manager, territory, handedOver, random)));
      }
      Future<?> disturbing =
          threads.submit(
              () -> {
                for (int i = 0; i < 300; i++) {
                  manager.checkInvariants();
                  manager.usage();
                  manager.trim();
                }
              });
      List<Allocation> live = new ArrayList<>();
      for (Future<List<Allocation>> one : running) {
        live.addAll(one.get());
      }
      disturbing.get();
      live.addAll(handedOver);
      manager.checkInvariants();
      assertThat(manager.usage().allocations()).isEqualTo(live.size());
      assertThat(manager.usage().inUse().bytes())
          .isEqualTo(live.stream().mapToLong(Allocation::byteSize).sum());
      long served = manager.report().pools().stream().mapToLong(pool -> pool.served()).sum();
      assertThat(served).isEqualTo((long) THREADS * REQUESTS);
      live.forEach(Allocation::close);
      manager.checkInvariants();
      manager.trim();
      assertThat(manager.usage().reserved()).isEqualTo(MemorySize.ZERO);
    }
  }

  private static final int REQUESTS = 5000;

  private static List<Allocation> work(
      MemoryManager manager,
      Territory territory,
      LinkedTransferQueue<Allocation> handedOver,
      Random random) {
    List<Allocation> own = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      int bits = random.nextInt(4) > 0 ? random.nextInt(13) : random.nextInt(21);
      Allocation allocation = manager.allocate(1 + random.nextInt(1 << bits));
      territory.take(allocation);
      if (random.nextInt(3) == 0) {
        handedOver.add(allocation);
      } else {
        own.add(allocation);
      }
      while (own.size() > 100 || (!own.isEmpty() && random.nextInt(2) == 0)) {
        leave(territory, own.remove(random.nextInt(own.size())));
      }
      Allocation others = random.nextBoolean() ? handedOver.poll() : null;
      if (others != null) {
        leave(territory, others);
      }
    }
    return own;
  }

  private static void leave(Territory territory, Allocation allocation) {
    territory.leave(allocation);
    allocation.close();
  }

  /** Nobody can hold more at a time than all of them hold at the barrier, so that is the peak. */
  @ParameterizedTest
  @ValueSource(ints = {2, THREADS})
  void peaksAreExactWithThreads(int threadCount) throws Exception {
    int each = 40;
    long byteSize = 1000;
    try (MemoryManager manager = open(MemoryPoolConfig.sliced(PAGE));
        ExecutorService threads = Executors.newFixedThreadPool(threadCount)) {
      CyclicBarrier barrier = new CyclicBarrier(threadCount);
      List<Future<Void>> running = new ArrayList<>();
      for (int t = 0; t < threadCount; t++) {
        Random random = new Random(t);
        running.add(
            threads.submit(
                () -> {
                  Deque<Allocation> live = new ArrayDeque<>();
                  for (int round = 0; round < 50; round++) {
                    churn(manager, live, each, byteSize, random);
                    while (live.size() < each) {
                      live.push(manager.allocate(byteSize));
                    }
                    barrier.await();
                    churn(manager, live, each, byteSize, random);
                  }
                  live.forEach(Allocation::close);
                  return null;
                }));
      }
      for (Future<Void> one : running) {
        one.get();
      }
      manager.checkInvariants();
      assertThat(manager.usage().allocations()).isZero();
      assertThat(manager.usage().allocationsPeak()).isEqualTo((long) threadCount * each);
      assertThat(manager.usage().inUsePeak().bytes()).isEqualTo(byteSize * threadCount * each);
    }
  }

  private static void churn(
      MemoryManager manager, Deque<Allocation> live, int most, long byteSize, Random random) {
    for (int i = 0; i < 200; i++) {
      if (live.size() < most && random.nextBoolean()) {
        live.push(manager.allocate(byteSize));
      } else if (!live.isEmpty()) {
        live.pop().close();
      }
    }
  }
}
