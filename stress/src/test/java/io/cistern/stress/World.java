package io.cistern.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.PersistentMemory;
import io.cistern.manager.Bookkeeping;
import io.cistern.manager.DeviceMemory;
import io.cistern.manager.DryRun;
import io.cistern.manager.MemoryManager;
import io.cistern.manager.MemoryReport;
import io.cistern.manager.PersistentWindow;
import io.cistern.storage.CountingStorage;
import io.cistern.testkit.BytesStorage;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** One storage with several managers, and what the threads pass to each other. */
final class World {

  static final int STREAMS = 3;

  private static final MemorySize CAPACITY = MemorySize.ofMiB(2);
  private static final Duration MAX_WAIT = Duration.ofMillis(2);

  final CountingStorage storage = new CountingStorage(BytesStorage.of(256, 4096, CAPACITY));

  /** Lasts, and is never without live handles. */
  final Target steady = new Target(open("steady", capped()), true, false);

  /** Lasts, and has few live handles, so that a layout can be installed now and then. */
  final Target sparse = new Target(open("sparse", open()), true, false);

  /** Is closed over and over, whatever is live. */
  final AtomicReference<Target> brief = new AtomicReference<>(openBrief());

  final DeviceMemory streams = DeviceMemory.open(storage, open());
  private final Map<MemoryManager, Target> streamTargets = new ConcurrentHashMap<>();

  final LinkedBlockingQueue<Holding> holdings = new LinkedBlockingQueue<>(256);
  final ConcurrentLinkedQueue<Contest> contests = new ConcurrentLinkedQueue<>();
  final LinkedBlockingQueue<Running> captures = new LinkedBlockingQueue<>(2);
  final LinkedBlockingQueue<Pinned> pins = new LinkedBlockingQueue<>(8);
  final LinkedBlockingQueue<PersistentWindow> windows = new LinkedBlockingQueue<>(3);
  final LinkedBlockingQueue<DryRun> dryRuns = new LinkedBlockingQueue<>(2);
  final Device device;

  World(Random random) {
    this.device = new Device(random);
  }

  private MemoryManager open(String name, MemoryPoolsConfig pools) {
    return MemoryManager.builder(storage)
        .name(name)
        .pools(pools)
        .persistent(PersistentMemory.ENABLED)
        .maxWait(MAX_WAIT)
        .open();
  }

  Target openBrief() {
    return new Target(open("brief", capped()), false, false);
  }

  /** Pools that fill up and spill. */
  static MemoryPoolsConfig capped() {
    MemorySize page = MemorySize.ofKiB(32);
    return MemoryPoolsConfig.of(
        MemoryPoolConfig.sliced(page).withMaxPoolSize(page.times(2)).withDeallocPeriod(50),
        MemoryPoolConfig.sliced(page.times(2)).withMaxPoolSize(page.times(2)));
  }

  /** Pools without a limit. */
  static MemoryPoolsConfig open() {
    return MemoryPoolsConfig.of(
        MemoryPoolConfig.sliced(MemorySize.ofKiB(16))
            .withMaxSliceSize(MemorySize.ofKiB(2))
            .withMaxPoolSize(MemorySize.ofKiB(64)),
        MemoryPoolConfig.exclusive(MemorySize.ofKiB(8)).withDeallocPeriod(20),
        MemoryPoolConfig.direct().withReclaimAt(MemorySize.ofKiB(256)));
  }

  /** Zero, or up to 8 KiB and more often small. */
  static long byteSize(Random random) {
    return random.nextInt(16) == 0 ? 0 : 1 + random.nextInt(1 << random.nextInt(4, 14));
  }

  Target anyTarget(Random random) {
    return switch (random.nextInt(10)) {
      case 0, 1, 2, 3 -> steady;
      case 4 -> sparse;
      case 5 -> brief.get();
      default -> stream(random.nextInt(STREAMS));
    };
  }

  private Target stream(int number) {
    return streamTargets.computeIfAbsent(
        streams.stream(number), manager -> new Target(manager, false, true));
  }

  void endStream(int number) {
    MemoryManager ended = streams.streams().get(number);
    streams.closeStream(number);
    if (ended != null) {
      streamTargets.remove(ended);
    }
  }

  /** Checks what is left when the threads have ended, closes it all, and checks that it is gone. */
  void close() {
    for (Contest contest = contests.poll(); contest != null; contest = contests.poll()) {
      Holding retained = contest.takePart();
      if (retained != null) {
        retained.verify();
        retained.allocation().close();
      }
    }
    captures.forEach(running -> running.capture().close());
    windows.forEach(PersistentWindow::close);
    dryRuns.forEach(DryRun::close);
    checkDriver();
    holdings.forEach(Holding::verify);
    holdings.forEach(holding -> holding.allocation().close());
    pins.forEach(Pinned::close);
    checkNothingLeft(steady.manager);
    checkNothingLeft(sparse.manager);
    checkNothingLeft(brief.get().manager);
    streams.trim();
    streams.streams().values().forEach(World::checkNothingLeft);
    assertThat(streams.usage().reserved()).as("reserved, streams").isEqualTo(MemorySize.ZERO);
    assertThat(streams.usage().allocations()).as("allocations, streams").isZero();
    assertThat(storage.allocated()).as("what the driver has out").isEqualTo(MemorySize.ZERO);
    assertThat(storage.allocations()).as("blocks made and back").isEqualTo(storage.frees());
    List.of(steady, sparse, brief.get()).forEach(Target::close);
    streams.close();
  }

  private static void checkNothingLeft(MemoryManager manager) {
    manager.trim();
    Bookkeeping.check(manager);
    Equations.check(manager.report());
    assertThat(manager.usage().allocations()).as("%s allocations", manager.name()).isZero();
    assertThat(manager.usage().pending()).as("%s pending", manager.name()).isEqualTo(ZERO);
    assertThat(manager.usage().reserved()).as("%s reserved", manager.name()).isEqualTo(ZERO);
  }

  private static final MemorySize ZERO = MemorySize.ZERO;

  /** The driver's blocks are those that the managers have, also those of ended streams. */
  private void checkDriver() {
    streams.trim();
    Set<MemoryManager> managers = new LinkedHashSet<>(streams.streams().values());
    managers.addAll(List.of(steady.manager, sparse.manager, brief.get().manager));
    Stream.concat(holdings.stream().map(Holding::target), pins.stream().map(Pinned::target))
        .filter(target -> !target.isClosing())
        .forEach(target -> managers.add(target.manager));
    long mapped = 0;
    long unmapped = 0;
    long reserved = 0;
    for (MemoryManager manager : managers) {
      Bookkeeping.check(manager);
      MemoryReport report = manager.report();
      Equations.check(report);
      for (MemoryReport.PoolReport pool : report.allPools()) {
        mapped += pool.pages() - pool.pagesUnmapped();
        unmapped += pool.pagesUnmapped();
      }
      reserved += report.usage().reserved().bytes();
    }
    assertThat(storage.allocations() - storage.frees()).as("blocks out").isEqualTo(mapped);
    assertThat(storage.allocated().bytes()).as("bytes out").isLessThanOrEqualTo(reserved);
    if (unmapped == 0) {
      assertThat(storage.allocated().bytes()).as("bytes out").isEqualTo(reserved);
    }
  }
}
