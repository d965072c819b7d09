package io.cistern.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.AllocationException;
import io.cistern.MemoryUsage;
import io.cistern.OutOfDeviceMemoryException;
import io.cistern.PoolCapacityException;
import io.cistern.SizeNotAcceptedException;
import io.cistern.layout.PoolLayout;
import io.cistern.layout.ResolvedPool;
import io.cistern.storage.StorageBlock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The pools' rules written down as plainly as possible: lists, scans and sums, no index, no links.
 *
 * <p>It is told what the manager did and says whether the rules allow it; what the rules settle
 * (the pool, growth, best fit, what goes back when, every total) must be exactly so.
 */
final class PlainModel {

  /** What the driver will do with the calls that follow. */
  static final class ModelDriver {
    long capacity;
    boolean refusesBlocks;
    boolean refusesFrees;
  }

  private static final class ModelPage {
    final StorageBlock block;
    final long byteSize;
    final TreeMap<Long, Long> live = new TreeMap<>();
    long idleSince;
    long idleOrder;

    ModelPage(StorageBlock block, long byteSize) {
      this.block = block;
      this.byteSize = byteSize;
    }

    /** The free runs: offset and size. */
    TreeMap<Long, Long> holes() {
      TreeMap<Long, Long> holes = new TreeMap<>();
      long end = 0;
      for (Map.Entry<Long, Long> slice : live.entrySet()) {
        holes.put(end, slice.getKey() - end);
        end = slice.getKey() + slice.getValue();
      }
      holes.put(end, byteSize - end);
      holes.values().removeIf(size -> size == 0);
      return holes;
    }
  }

  private static final class ModelPool {
    final ResolvedPool config;
    final OptionalLong period;
    final List<ModelPage> pages = new ArrayList<>();
    long spills;

    ModelPool(ResolvedPool config) {
      this.config = config;
      this.period =
          switch (config) {
            case ResolvedPool.Sliced sliced -> sliced.deallocPeriod();
            case ResolvedPool.Exclusive exclusive -> exclusive.deallocPeriod();
            case ResolvedPool.Direct direct -> OptionalLong.empty();
          };
    }

    long reserved() {
      return pages.stream().mapToLong(page -> page.byteSize).sum();
    }

    List<ModelPage> idle() {
      return pages.stream()
          .filter(page -> page.live.isEmpty())
          .sorted(Comparator.comparingLong(page -> page.idleOrder))
          .toList();
    }

    Optional<ModelPage> pageOf(StorageBlock block) {
      return pages.stream().filter(page -> page.block == block).findFirst();
    }
  }

  private record Live(ModelPool pool, @Nullable ModelPage page, long offset, long byteSize) {}

  /** The driver refused a block of a size. */
  private static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;
  }

  private final ModelDriver driver;
  private final long granule;
  private final Map<Allocation, Live> live = new java.util.IdentityHashMap<>();
  private List<ModelPool> pools = List.of();
  private long count;
  private long order;
  private long allocationsPeak;
  private long inUsePeak;
  private long paddingPeak;
  private long reservedPeak;

  PlainModel(PoolLayout layout, ModelDriver driver) {
    this.driver = driver;
    this.granule = layout.device().byteAlignment();
    installed(layout);
  }

  void installed(PoolLayout layout) {
    trimmed();
    pools = layout.pools().stream().map(ModelPool::new).toList();
    allocationsPeak = inUsePeak = paddingPeak = reservedPeak = 0;
  }

  void trimmed() {
    pools.forEach(pool -> pool.idle().forEach(page -> giveBack(pool, page)));
  }

  void released(Allocation allocation) {
    Live gone = Objects.requireNonNull(live.remove(allocation));
    if (gone.page != null) {
      gone.page.live.remove(gone.offset);
      if (gone.page.live.isEmpty()) {
        becameIdle(gone.page);
      }
    }
  }

  /** A request was served ({@code got}) or refused ({@code error}). */
  void requested(
      long byteSize,
      long alignment,
      @Nullable Allocation got,
      @Nullable AllocationException error) {
    count++;
    giveBackDue();
    boolean[] spilled = new boolean[pools.size()];
    try {
      route(byteSize, alignment, got, error, spilled);
    } catch (Refused first) {
      trimmed();
      try {
        route(byteSize, alignment, got, error, spilled);
      } catch (Refused second) {
        boolean afterSpill = error instanceof PoolCapacityException && error.getCause() != null;
        assertThat(afterSpill || error instanceof OutOfDeviceMemoryException).isTrue();
      }
    }
    allocationsPeak = Math.max(allocationsPeak, live.size());
    inUsePeak = Math.max(inUsePeak, inUse());
    paddingPeak = Math.max(paddingPeak, padding());
  }

  /** Section 5: the first pool that accepts serves; a full capped one passes on. */
  private void route(
      long byteSize,
      long alignment,
      @Nullable Allocation got,
      @Nullable AllocationException error,
      boolean[] spilled)
      throws Refused {
    int lastFull = -1;
    for (int i = 0; i < pools.size(); i++) {
      ModelPool pool = pools.get(i);
      if (!pool.config.accepts(byteSize)) {
        continue;
      }
      if (lastFull >= 0 && !spilled[lastFull]) {
        pools.get(lastFull).spills++;
        spilled[lastFull] = true;
      }
      boolean here = got != null && got.pool() == i;
      if (serves(pool, byteSize, alignment, here ? got : null)) {
        assertThat(here).as("pool %s serves %s", i, byteSize).isTrue();
        return;
      }
      lastFull = i;
    }
    assertThat(error)
        .isInstanceOf(lastFull < 0 ? SizeNotAcceptedException.class : PoolCapacityException.class);
  }

  /** Section 6: whether a pool serves a request, and how; false if it is full. */
  private boolean serves(ModelPool pool, long byteSize, long alignment, @Nullable Allocation got)
      throws Refused {
    if (byteSize == 0) {
      live.put(Objects.requireNonNull(got), new Live(pool, null, 0, 0));
      return true;
    }
    long padded = (byteSize + granule - 1) / granule * granule;
    return switch (pool.config) {
      case ResolvedPool.Sliced sliced ->
          slicedServes(pool, sliced, byteSize, padded, alignment, got);
      case ResolvedPool.Exclusive exclusive -> {
        Optional<ModelPage> page =
            pool.idle().stream()
                .filter(idle -> idle.byteSize >= padded)
                .min(Comparator.comparingLong(idle -> idle.byteSize));
        yield wholeServes(pool, page, byteSize, padded, exclusive.maxAllocByteSize(), got);
      }
      case ResolvedPool.Direct direct -> {
        Optional<ModelPage> page =
            pool.idle().stream().filter(idle -> idle.byteSize == padded).findFirst();
        if (page.isEmpty()) {
          long mark = direct.reclaimAtByteSize().orElse(Long.MAX_VALUE);
          for (ModelPage idle : pool.idle()) {
            if (pool.reserved() > mark - padded) {
              giveBack(pool, idle);
            }
          }
        }
        yield wholeServes(pool, page, byteSize, padded, padded, got);
      }
    };
  }

  private boolean slicedServes(
      ModelPool pool,
      ResolvedPool.Sliced config,
      long byteSize,
      long padded,
      long alignment,
      @Nullable Allocation got)
      throws Refused {
    long surely = padded + Math.max(0, alignment - granule);
    OptionalLong bestFit =
        pool.pages.stream()
            .filter(page -> !page.live.isEmpty())
            .flatMapToLong(page -> page.holes().values().stream().mapToLong(hole -> hole))
            .filter(hole -> hole >= surely)
            .min();
    Optional<ModelPage> page =
        got == null ? Optional.empty() : pool.pageOf(Objects.requireNonNull(got).block());
    boolean inUsePageFits = bestFit.isPresent() || page.stream().anyMatch(p -> !p.live.isEmpty());
    if (!inUsePageFits && pool.idle().isEmpty()) {
      if (pool.pages.size() >= config.maxPages().orElse(Long.MAX_VALUE)) {
        return false;
      }
      grow(pool, config.pageByteSize(), got);
      page = pool.pageOf(Objects.requireNonNull(got).block());
    } else if (!inUsePageFits) {
      assertThat(page).as("the page that became idle last").contains(pool.idle().getLast());
    }
    assertThat(got).as("%s bytes fit", byteSize).isNotNull();
    ModelPage on = page.orElseThrow();
    long offset = got.byteOffset();
    Map.Entry<Long, Long> hole = on.holes().floorEntry(offset);
    assertThat(hole).as("free at %s", offset).isNotNull();
    assertThat(offset + padded).isLessThanOrEqualTo(hole.getKey() + hole.getValue());
    assertThat(offset % Math.max(alignment, granule)).as("offset %s aligned", offset).isZero();
    if (alignment <= granule && bestFit.isPresent()) {
      assertThat(hole.getValue()).as("best fit").isEqualTo(bestFit.getAsLong());
    }
    on.live.put(offset, padded);
    live.put(got, new Live(pool, on, offset, byteSize));
    return true;
  }

  private boolean wholeServes(
      ModelPool pool,
      Optional<ModelPage> free,
      long byteSize,
      long padded,
      long largest,
      @Nullable Allocation got)
      throws Refused {
    if (free.isEmpty()) {
      grow(pool, padded, got);
    }
    ModelPage page = pool.pageOf(Objects.requireNonNull(got).block()).orElseThrow();
    assertThat(page.byteSize).isBetween(padded, Math.max(padded, largest));
    free.ifPresent(smallest -> assertThat(page.byteSize).isEqualTo(smallest.byteSize));
    assertThat(page.live).isEmpty();
    assertThat(got.byteOffset()).isZero();
    page.live.put(0L, padded);
    live.put(got, new Live(pool, page, 0, byteSize));
    return true;
  }

  /** A pool may round a new page up, but must get by with what is needed. */
  private void grow(ModelPool pool, long needed, @Nullable Allocation got) throws Refused {
    if (driver.refusesBlocks || reserved() + needed > driver.capacity) {
      throw new Refused();
    }
    StorageBlock block = Objects.requireNonNull(got, "the driver gives a page").block();
    ModelPage page = new ModelPage(block, block.byteSize());
    page.idleOrder = ++order;
    pool.pages.add(page);
    reservedPeak = Math.max(reservedPeak, reserved());
  }

  private void giveBackDue() {
    for (ModelPool pool : pools) {
      long period = pool.period.orElse(Long.MAX_VALUE);
      for (ModelPage page : pool.idle()) {
        if (count - page.idleSince > period) {
          giveBack(pool, page);
        }
      }
    }
  }

  private void giveBack(ModelPool pool, ModelPage page) {
    if (driver.refusesFrees) {
      becameIdle(page);
    } else {
      pool.pages.remove(page);
    }
  }

  private void becameIdle(ModelPage page) {
    page.idleSince = count;
    page.idleOrder = ++order;
  }

  private long reserved() {
    return pools.stream().mapToLong(ModelPool::reserved).sum();
  }

  private long inUse() {
    return live.values().stream().mapToLong(Live::byteSize).sum();
  }

  private long padding() {
    return live.values().stream().mapToLong(one -> -one.byteSize & (granule - 1)).sum();
  }

  /** Section 9: every total and peak is what the rules make it. */
  void check(MemoryManager manager) {
    MemoryUsage usage = manager.usage();
    assertThat(usage.allocations()).isEqualTo(live.size());
    assertThat(usage.inUse().bytes()).isEqualTo(inUse());
    assertThat(usage.padding().bytes()).isEqualTo(padding());
    assertThat(usage.reserved().bytes()).isEqualTo(reserved());
    assertThat(usage.allocationsPeak()).isEqualTo(allocationsPeak);
    assertThat(usage.inUsePeak().bytes()).isEqualTo(inUsePeak);
    assertThat(usage.paddingPeak().bytes()).isEqualTo(paddingPeak);
    assertThat(usage.reservedPeak().bytes()).isEqualTo(reservedPeak);
    for (MemoryReport.PoolReport pool : manager.report().pools()) {
      ModelPool model = pools.get(pool.index());
      assertThat(pool.pages()).isEqualTo(model.pages.size());
      assertThat(pool.spills()).as("spills of pool %s", pool.index()).isEqualTo(model.spills);
    }
  }
}
