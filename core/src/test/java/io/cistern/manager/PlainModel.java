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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
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
    final TreeMap<Long, Long> live = new TreeMap<>();
    long idleSince;
    long idleOrder;

    ModelPage(StorageBlock block, long order) {
      this.block = block;
      this.idleOrder = order;
    }

    long byteSize() {
      return block.byteSize();
    }

    /** The free runs: offset and size. */
    NavigableMap<Long, Long> holes() {
      TreeMap<Long, Long> holes = new TreeMap<>();
      long end = 0;
      for (Map.Entry<Long, Long> slice : live.entrySet()) {
        holes.put(end, slice.getKey() - end);
        end = slice.getKey() + slice.getValue();
      }
      holes.put(end, byteSize() - end);
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
      return pages.stream().mapToLong(ModelPage::byteSize).sum();
    }

    List<ModelPage> idle() {
      return pages.stream()
          .filter(page -> page.live.isEmpty())
          .sorted(Comparator.comparingLong(page -> page.idleOrder))
          .toList();
    }

    /** The page that an allocation is on; none if there is no allocation, or it is not here. */
    Optional<ModelPage> pageOf(@Nullable Allocation got) {
      return pages.stream()
          .filter(page -> got != null && page.block.equals(got.block()))
          .findFirst();
    }
  }

  private record Live(@Nullable ModelPage page, long offset, long byteSize) {}

  /** A request and how it ended: {@code got} or {@code error}; {@code spilled} are its spills. */
  private record Request(
      long byteSize,
      long padded,
      long alignment,
      @Nullable Allocation got,
      @Nullable AllocationException error,
      Set<ModelPool> spilled) {

    /** The allocation, where the rules say that there must be one. */
    Allocation mustHave() {
      assertThat(got).as("%s bytes at %s are served", byteSize, alignment).isNotNull();
      return Objects.requireNonNull(got);
    }
  }

  /** The driver refused a block. */
  private static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;
  }

  private final ModelDriver driver;
  private final long granule;
  private final boolean placesExactly;
  private final Map<Allocation, Live> live = new HashMap<>();
  private List<ModelPool> pools = List.of();
  private long count;
  private long order;
  private long allocationsPeak;
  private long inUsePeak;
  private long paddingPeak;
  private long reservedPeak;

  /**
   * Makes a model of a manager that was just opened.
   *
   * @param placesExactly whether the manager has no magazines
   */
  PlainModel(PoolLayout layout, ModelDriver driver, boolean placesExactly) {
    this.placesExactly = placesExactly;
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
    Live gone = live.remove(allocation);
    if (gone.page != null) {
      gone.page.live.remove(gone.offset);
      if (gone.page.live.isEmpty()) {
        becameIdle(gone.page);
      }
    }
  }

  void requested(
      long byteSize,
      long alignment,
      @Nullable Allocation got,
      @Nullable AllocationException error) {
    count++;
    giveBackDue();
    long padded = byteSize + (-byteSize & (granule - 1));
    Request request = new Request(byteSize, padded, alignment, got, error, new HashSet<>());
    try {
      route(request);
    } catch (Refused first) {
      trimmed();
      try {
        route(request);
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
  private void route(Request request) throws Refused {
    ModelPool full = null;
    for (ModelPool pool : pools) {
      if (!pool.config.accepts(request.byteSize)) {
        continue;
      }
      if (full != null && request.spilled.add(full)) {
        full.spills++;
      }
      if (serves(pool, request)) {
        assertThat(request.mustHave().pool()).isEqualTo(pools.indexOf(pool));
        return;
      }
      full = pool;
    }
    assertThat(request.error)
        .isInstanceOf(full == null ? SizeNotAcceptedException.class : PoolCapacityException.class);
  }

  /** Section 6: whether a pool serves a request, and how; false if it is full. */
  private boolean serves(ModelPool pool, Request request) throws Refused {
    if (request.byteSize == 0) {
      live.put(request.mustHave(), new Live(null, 0, 0));
      return true;
    }
    switch (pool.config) {
      case ResolvedPool.Sliced sliced -> {
        return slicedServes(pool, sliced, request);
      }
      case ResolvedPool.Exclusive exclusive -> {
        Stream<ModelPage> fitting =
            pool.idle().stream().filter(idle -> idle.byteSize() >= request.padded);
        var smallest = fitting.min(Comparator.comparingLong(ModelPage::byteSize));
        wholeServes(pool, smallest, exclusive.maxAllocByteSize(), request);
      }
      case ResolvedPool.Direct direct -> {
        Stream<ModelPage> equal =
            pool.idle().stream().filter(idle -> idle.byteSize() == request.padded);
        Optional<ModelPage> exact = equal.findFirst();
        if (exact.isEmpty()) {
          reclaim(pool, direct.reclaimAtByteSize().orElse(Long.MAX_VALUE) - request.padded);
        }
        wholeServes(pool, exact, request.padded, request);
      }
    }
    return true;
  }

  private boolean slicedServes(ModelPool pool, ResolvedPool.Sliced config, Request request)
      throws Refused {
    // With an alignment above the granule only a run that holds any gap is sure to be found.
    long surely = request.padded + Math.max(0, request.alignment - granule);
    OptionalLong bestFit =
        pool.pages.stream()
            .filter(page -> !page.live.isEmpty())
            .flatMapToLong(page -> page.holes().values().stream().mapToLong(hole -> hole))
            .filter(hole -> hole >= surely)
            .min();
    Optional<ModelPage> luckily = pool.pageOf(request.got).filter(page -> !page.live.isEmpty());
    if (bestFit.isEmpty() && luckily.isEmpty()) {
      if (!pool.idle().isEmpty()) {
        // What is on a shelf keeps its page from being idle, which the model does not see.
        if (placesExactly) {
          assertThat(request.mustHave().block()).isSameAs(pool.idle().getLast().block);
        }
      } else if (pool.pages.size() >= config.maxPages().orElse(Long.MAX_VALUE)) {
        return false;
      } else {
        grow(pool, config.pageByteSize(), request);
      }
    }
    ModelPage page = pool.pageOf(request.mustHave()).orElseThrow();
    long offset = request.mustHave().byteOffset();
    long taken = takenBy(request);
    Map.Entry<Long, Long> hole = page.holes().floorEntry(offset);
    assertThat(hole).as("free at %s", offset).isNotNull();
    assertThat(offset + taken).isLessThanOrEqualTo(hole.getKey() + hole.getValue());
    assertThat(offset % Math.max(request.alignment, granule)).as("%s aligned", offset).isZero();
    if (placesExactly && request.alignment <= granule && bestFit.isPresent()) {
      assertThat(hole.getValue()).as("best fit").isEqualTo(bestFit.getAsLong());
    }
    place(page, offset, taken, request);
    return true;
  }

  private void wholeServes(ModelPool pool, Optional<ModelPage> free, long largest, Request request)
      throws Refused {
    if (free.isEmpty()) {
      grow(pool, request.padded, request);
    }
    ModelPage page = pool.pageOf(request.mustHave()).orElseThrow();
    assertThat(page.byteSize()).isBetween(request.padded, largest);
    free.ifPresent(smallest -> assertThat(page.byteSize()).isEqualTo(smallest.byteSize()));
    assertThat(page.live).isEmpty();
    assertThat(request.mustHave().byteOffset()).isZero();
    place(page, 0, request.padded, request);
  }

  /**
   * What the slice takes: a size class's where there are magazines, above the request's by 1/16.
   */
  private long takenBy(Request request) {
    if (placesExactly) {
      return request.padded;
    }
    Allocation got = request.mustHave();
    long taken = got.servedBy().slices().byteSize(got.slice());
    assertThat(taken).isBetween(request.padded, request.padded + request.padded / 16 + granule);
    return taken;
  }

  private void place(ModelPage page, long offset, long taken, Request request) {
    page.live.put(offset, taken);
    live.put(request.mustHave(), new Live(page, offset, request.byteSize));
  }

  /** A pool may round a new page up, but must get by with what is needed. */
  private void grow(ModelPool pool, long needed, Request request) throws Refused {
    if (driver.refusesBlocks || reserved() + needed > driver.capacity) {
      throw new Refused();
    }
    pool.pages.add(new ModelPage(request.mustHave().block(), ++order));
    reservedPeak = Math.max(reservedPeak, reserved());
  }

  private void reclaim(ModelPool pool, long mark) {
    for (ModelPage idle : pool.idle()) {
      if (pool.reserved() > mark) {
        giveBack(pool, idle);
      }
    }
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
