package io.cistern.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.AllocationException;
import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.PersistentMemory;
import io.cistern.storage.Fence;
import io.cistern.storage.SimulatedStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Sections 7 to 9: random handles, fences, windows, captures and dry runs. After each step the
 * equations of the bookkeeping hold, the totals are those of what the test itself keeps live, and
 * nothing that is live, pinned or pending was handed out again. {@code -Dcistern.seed=N} runs one
 * seed alone.
 */
class RandomLifetimesTest {

  private static final int STREAMS = 300;
  private static final int STEPS = 300;

  @TestFactory
  List<DynamicTest> rulesHoldAfterEachStep() {
    Long seed = Long.getLong("cistern.seed");
    LongStream seeds = seed != null ? LongStream.of(seed) : LongStream.range(0, STREAMS);
    return seeds
        .mapToObj(one -> DynamicTest.dynamicTest("seed " + one, () -> new Program(one).run()))
        .toList();
  }

  /** What is known of a slice from its request on. */
  private static final class Region {
    final long byteSize;
    final int pool;
    final int slice;
    final List<TestFence> fences = new ArrayList<>();
    int handles = 1;
    int holds;

    Region(Allocation allocation, long byteSize) {
      this.byteSize = byteSize;
      this.pool = allocation.pool();
      this.slice = allocation.slice();
    }

    boolean isKept() {
      return handles > 0 || holds > 0;
    }

    boolean mayBeUsedAgain() {
      // Nothing can be done to no bytes, so their fences do not count.
      return !isKept() && (byteSize == 0 || fences.stream().allMatch(fence -> fence.isPast));
    }
  }

  private static final class TestFence implements Fence {
    boolean isPast;

    @Override
    public boolean hasPassed() {
      return isPast;
    }

    @Override
    public boolean await(Duration atMost) {
      isPast = true;
      return true;
    }
  }

  private record Handle(Allocation allocation, Region region) {}

  private record Pinned(CapturePin pin, List<Region> regions) {}

  private static final class Program {
    private final Random random;
    private final SimulatedStorage device = SimulatedStorage.withCapacity(MemorySize.ofMiB(1));
    private final MemoryManager manager;

    private final List<Handle> handles = new ArrayList<>();
    private final Set<Region> regions = new LinkedHashSet<>();
    private final List<TestFence> fences = new ArrayList<>();
    private final List<PersistentWindow> windows = new ArrayList<>();
    private final List<DryRun> dryRuns = new ArrayList<>();
    private final List<Pinned> pins = new ArrayList<>();
    private @Nullable Capture capture;
    private boolean priming;
    private final Map<Integer, Region> touched = new HashMap<>();
    private final List<Region> primed = new ArrayList<>();

    Program(long seed) {
      this.random = new Random(seed);
      this.manager =
          MemoryManager.builder(device)
              .pools(pools())
              .persistent(List.of(PersistentMemory.values()).get(random.nextInt(4)))
              .maxWait(random.nextBoolean() ? Duration.ZERO : Duration.ofSeconds(60))
              .open();
    }

    private MemoryPoolsConfig pools() {
      List<MemoryPoolConfig> pools = new ArrayList<>();
      MemoryPoolConfig.Sliced sliced = MemoryPoolConfig.sliced(MemorySize.of(4096));
      if (random.nextBoolean()) {
        sliced = sliced.withMaxPoolSize(MemorySize.of(4096L * random.nextInt(1, 6)));
      }
      if (random.nextBoolean()) {
        sliced = sliced.withDeallocPeriod(random.nextInt(20));
      }
      pools.add(sliced);
      if (random.nextBoolean()) {
        pools.add(
            MemoryPoolConfig.exclusive(MemorySize.of(8192)).withDeallocPeriod(random.nextInt(20)));
      }
      if (random.nextInt(3) > 0) {
        pools.add(MemoryPoolConfig.direct().withReclaimAt(MemorySize.of(16384)));
      }
      return MemoryPoolsConfig.of(pools.toArray(MemoryPoolConfig[]::new));
    }

    void run() {
      for (int i = 0; i < STEPS; i++) {
        step();
        check();
      }
      end();
    }

    private void step() {
      switch (random.nextInt(24)) {
        case 0, 1, 2, 3, 4, 5, 6, 7 -> allocate();
        case 8, 9, 10, 11, 12 -> pick(handles).ifPresent(this::close);
        case 13 -> pick(handles).ifPresent(this::retain);
        case 14 -> pick(handles).ifPresent(this::use);
        case 15 -> pick(fences).ifPresent(fence -> fence.isPast = true);
        case 16 -> windows.add(manager.openPersistentWindow());
        case 17 -> take(windows).ifPresent(PersistentWindow::close);
        case 18 -> dryRuns.add(manager.openDryRun());
        case 19 -> take(dryRuns).ifPresent(DryRun::close);
        case 20 -> beginOrEndCapture();
        case 21 -> take(pins).ifPresent(this::unpin);
        case 22 -> manager.trim();
        default -> pick(handles).ifPresent(this::map);
      }
    }

    private <T> Optional<T> pick(List<T> from) {
      return from.isEmpty() ? Optional.empty() : Optional.of(from.get(random.nextInt(from.size())));
    }

    private <T> Optional<T> take(List<T> from) {
      return from.isEmpty()
          ? Optional.empty()
          : Optional.of(from.remove(random.nextInt(from.size())));
    }

    private void allocate() {
      long byteSize = random.nextInt(8) == 0 ? 0 : random.nextLong(1L << random.nextInt(2, 13));
      Allocation allocation;
      try {
        allocation = manager.allocate(byteSize);
      } catch (AllocationException refused) {
        return;
      }
      Region region = new Region(allocation, byteSize);
      regions.removeIf(
          other -> {
            boolean same = other.pool == region.pool && other.slice == region.slice;
            assertThat(same && !other.mayBeUsedAgain()).as("handed out again").isFalse();
            return same;
          });
      regions.add(region);
      handles.add(new Handle(allocation, region));
      if (capture != null && byteSize > 0) {
        assertThat(region.pool).isEqualTo(-1);
        touched.put(region.slice, region);
        if (priming) {
          region.holds++;
          primed.add(region);
        }
      }
    }

    private void close(Handle handle) {
      handles.remove(handle);
      handle.region.handles--;
      handle.allocation.close();
      assertThat(handle.allocation.isAlive()).isFalse();
    }

    private void retain(Handle handle) {
      assertThat(handle.allocation.canMutate()).isEqualTo(handle.region.handles == 1);
      handles.add(new Handle(handle.allocation.retain(), handle.region));
      handle.region.handles++;
    }

    private void use(Handle handle) {
      TestFence fence = pick(fences).filter(_ -> random.nextBoolean()).orElseGet(TestFence::new);
      fences.add(fence);
      handle.region.fences.add(fence);
      handle.allocation.usedUntil(fence);
    }

    private void map(Handle handle) {
      if (handle.region.byteSize > 0) {
        assertThat(handle.allocation.address()).isPositive();
      }
    }

    private void beginOrEndCapture() {
      if (capture == null) {
        capture = manager.beginCapture();
        priming = true;
      } else if (priming && random.nextBoolean()) {
        capture.endPriming();
        letGoOfPrimed();
      } else {
        CapturePin pin = capture.end();
        List<Region> pinned = List.copyOf(touched.values());
        pinned.forEach(region -> region.holds++);
        assertThat(pin.sizes()).hasSameSizeAs(pinned);
        pins.add(new Pinned(pin, pinned));
        letGoOfPrimed();
        touched.clear();
        capture = null;
      }
    }

    private void letGoOfPrimed() {
      priming = false;
      primed.forEach(region -> region.holds--);
      primed.clear();
    }

    private void unpin(Pinned pinned) {
      pinned.pin.close();
      pinned.regions.forEach(region -> region.holds--);
    }

    private void check() {
      manager.checkInvariants();
      List<Region> kept = regions.stream().filter(Region::isKept).toList();
      List<Region> pinned = kept.stream().filter(region -> region.handles == 0).toList();
      assertThat(manager.usage().allocations()).isEqualTo(kept.size());
      assertThat(manager.usage().inUse()).isEqualTo(sum(kept));
      assertThat(manager.usage().pinned()).isEqualTo(sum(pinned));
    }

    private static MemorySize sum(List<Region> regions) {
      return MemorySize.of(regions.stream().mapToLong(region -> region.byteSize).sum());
    }

    private void end() {
      List.copyOf(handles).forEach(this::close);
      if (capture != null) {
        capture.close();
        touched.clear();
        letGoOfPrimed();
      }
      pins.forEach(this::unpin);
      fences.forEach(fence -> fence.isPast = true);
      manager.trim();
      check();
      assertThat(manager.usage().pending()).isEqualTo(MemorySize.ZERO);
      assertThat(manager.usage().reserved()).isEqualTo(MemorySize.ZERO);
      assertThat(device.allocated()).isEqualTo(MemorySize.ZERO);
      manager.close();
    }
  }
}
