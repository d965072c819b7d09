package io.cistern.model;

import io.cistern.AllocationException;
import io.cistern.OutOfDeviceMemoryException;
import io.cistern.PoolCapacityException;
import io.cistern.PoolsInUseException;
import io.cistern.SizeNotAcceptedException;
import io.cistern.layout.PoolLayout;
import io.cistern.layout.ResolvedPool;
import io.cistern.manager.Allocation;
import io.cistern.manager.Inside;
import io.cistern.manager.MemoryManager;
import io.cistern.manager.MemoryReport;
import io.cistern.storage.StorageBlock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one manager written down as plainly as possible: lists, scans and sums, no index, no
 * links.
 *
 * <p>It is told what the manager gave, and says whether the rules allow it. What the rules settle
 * must be exactly so: the pool, growth, best fit, what goes back when and in which order, what the
 * driver and the fences are asked, every total and peak.
 */
final class ModelManager {

  private static final int FEW = 2;
  private static final int MANY = 64;
  private static final int ALL = Integer.MAX_VALUE;

  /** A capture under way, or one that was. */
  static final class ModelCapture {
    private final TreeMap<Integer, ModelPage> touched = new TreeMap<>();
    private final TreeMap<Integer, Region> primed = new TreeMap<>();
    private boolean priming = true;
  }

  /** A request, and what it got in the end: an allocation or an error. */
  private record Request(
      long byteSize,
      long padded,
      long alignment,
      @Nullable Allocation got,
      Set<ModelPool> spilled) {

    Allocation mustHave() {
      Rule.holds(got != null, "a request that can be served is served");
      return Objects.requireNonNull(got);
    }
  }

  /** Nobody could serve a request: the driver refused, or the last pool that accepts is full. */
  private static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;
    final boolean byDriver;
    final boolean afterFull;

    Refused(boolean byDriver, boolean afterFull) {
      super(null, null, false, false);
      this.byDriver = byDriver;
      this.afterFull = afterFull;
    }
  }

  private final ModelDevice device;
  private final MemoryManager manager;
  private final SetUp setUp;
  private final long granule;
  private final ModelPending pending;
  private final ModelPool persistent =
      new ModelPool(ModelPool.PERSISTENT, new ResolvedPool.Direct(OptionalLong.empty()));
  private final Peaks peaks = new Peaks();
  private List<ModelPool> pools = List.of();
  private boolean exact;
  private long count;
  private long order;
  private boolean ending;
  int windows;
  int dryRuns;
  @Nullable ModelCapture capture;

  /** Makes a model of a manager that was just opened. */
  ModelManager(ModelDevice device, MemoryManager manager, SetUp setUp) {
    this.device = device;
    this.manager = manager;
    this.setUp = setUp;
    this.granule = setUp.device().byteAlignment();
    this.pending = new ModelPending(device, this::giveToPage);
    device.managers.add(this);
    layout();
  }

  private void layout() {
    PoolLayout layout = manager.layout();
    exact = setUp.placesExactly(layout);
    pools = new ArrayList<>();
    layout.pools().forEach(pool -> pools.add(new ModelPool(pools.size(), pool)));
    peaks.reset();
    peaks.raise(allPools().toList());
  }

  Stream<ModelPool> allPools() {
    return Stream.concat(pools.stream(), Stream.of(persistent));
  }

  // ---- Requests: section 5

  /** A request was made: it got an allocation, whose region is returned, or an error. */
  @Nullable Region requested(
      long byteSize,
      long alignment,
      @Nullable Allocation got,
      @Nullable AllocationException error) {
    count++;
    if (capture == null) {
      giveBackDue();
    }
    pending.poll(FEW);
    long padded = byteSize + (-byteSize & (granule - 1));
    Request request = new Request(byteSize, padded, alignment, got, new HashSet<>());
    Region region = served(request, error);
    raisePeaks();
    return region;
  }

  private @Nullable Region served(Request request, @Nullable AllocationException error) {
    boolean cleanedUp = false;
    while (true) {
      Refused refused;
      try {
        Region region = serve(request);
        Rule.holds((region == null) == (error instanceof SizeNotAcceptedException), "accepted");
        return region;
      } catch (Refused e) {
        refused = e;
      }
      if (awaitFree(pool -> refused.byDriver || accepts(pool, request.byteSize))) {
        continue;
      }
      if (cleanedUp || !refused.byDriver) {
        checkError(refused, error);
        return null;
      }
      cleanedUp = true;
      device.cleanUp();
    }
  }

  private static boolean accepts(ModelPool pool, long byteSize) {
    return pool.index != ModelPool.PERSISTENT && pool.config.accepts(byteSize);
  }

  private static void checkError(Refused refused, @Nullable AllocationException error) {
    Rule.holds(
        refused.afterFull
            ? error instanceof PoolCapacityException
                && (error.getCause() != null) == refused.byDriver
            : error instanceof OutOfDeviceMemoryException,
        "the kind of the error: " + error);
  }

  /** Serves a request; null if no pool accepts its size. */
  private @Nullable Region serve(Request request) throws Refused {
    Region region;
    if (isPersistent(request.padded)) {
      region = serve(persistent, request);
    } else {
      region = route(request);
    }
    if (region != null && capture != null && region.page != null) {
      capture.touched.put(region.page.number, region.page);
      if (capture.priming) {
        capture.primed.put(region.page.number, region);
        region.holds++;
      }
    }
    return region;
  }

  /** Section 8. */
  private boolean isPersistent(long padded) {
    return capture != null
        || switch (setUp.persistent()) {
          case ENFORCED -> true;
          case DISABLED -> false;
          case ENABLED -> windows > 0;
          case SIZE_MATCH ->
              windows > 0 || persistent.pages.stream().anyMatch(page -> page.byteSize == padded);
        };
  }

  /** Section 5: the first pool that accepts serves; a full capped one passes on. */
  private @Nullable Region route(Request request) throws Refused {
    ModelPool full = null;
    for (ModelPool pool : pools) {
      if (!pool.config.accepts(request.byteSize)) {
        continue;
      }
      if (full != null && request.spilled.add(full)) {
        full.spills++;
      }
      try {
        Region region = serve(pool, request);
        if (region != null) {
          return region;
        }
      } catch (Refused e) {
        throw new Refused(true, full != null);
      }
      full = pool;
    }
    if (full != null) {
      throw new Refused(false, true);
    }
    return null;
  }

  /** Serves a request from a pool; null if it is full. */
  private @Nullable Region serve(ModelPool pool, Request request) throws Refused {
    Region region =
        request.byteSize == 0
            ? new Region(pool, null, 0, 0, 0, 0)
            : switch (pool.config) {
              case ResolvedPool.Sliced sliced -> slice(pool, sliced, request);
              case ResolvedPool.Exclusive e -> block(pool, e.maxAllocByteSize(), request);
              case ResolvedPool.Direct _ -> block(pool, request.padded, request);
            };
    if (region == null) {
      return null;
    }
    Allocation got = request.mustHave();
    Rule.equal(got.pool(), pool.index, "the pool of " + request.byteSize + " bytes");
    Rule.equal(got.byteSize(), request.byteSize, "the size");
    Rule.equal(got.byteOffset(), region.offset, "the offset");
    region.handles = 1;
    pool.live.add(region);
    pool.served++;
    pool.largest = Math.max(pool.largest, request.byteSize);
    return region;
  }

  // ---- Slices: section 6

  private @Nullable Region slice(ModelPool pool, ResolvedPool.Sliced config, Request request)
      throws Refused {
    boolean found = findsSlice(pool, request);
    if (!found && pending.poll(MANY)) {
      found = findsSlice(pool, request);
    }
    if (!found) {
      if (isFull(pool)) {
        return null;
      }
      grow(pool, config.pageByteSize(), request);
    } else if (device.next() instanceof Call.Made) {
      mapFoundPage(pool, request);
    }
    Allocation got = request.mustHave();
    ModelPage page = pool.page(Inside.page(got));
    if (page == null) {
      throw new AssertionError("broken: a slice is on a page of its pool");
    }
    checkPlace(pool, page, request);
    Region region =
        new Region(pool, page, got.byteOffset(), request.byteSize, request.padded, taken(request));
    page.taken.put(region.offset, region);
    return region;
  }

  /** With an alignment above the granule only a run that holds any gap is sure to be found. */
  private long surely(Request request) {
    return request.padded + Math.max(0, request.alignment - granule);
  }

  private static long bestFit(ModelPool pool, long surely) {
    long best = -1;
    for (ModelPage page : pool.pages) {
      long hole = page.isIdle() ? -1 : page.smallestHole(surely);
      best = hole >= 0 && (best < 0 || hole < best) ? hole : best;
    }
    return best;
  }

  private boolean findsSlice(ModelPool pool, Request request) {
    if (bestFit(pool, surely(request)) >= 0 || pool.pages.stream().anyMatch(ModelPage::isIdle)) {
      return true;
    }
    // By luck a smaller run has its aligned place, or a slice on a shelf is as large.
    boolean mayBeLucky = !exact || request.alignment > granule;
    return mayBeLucky && wasLucky(pool, request);
  }

  /** Whether a slice was found where none had to be, by what was asked next and by its place. */
  private boolean wasLucky(ModelPool pool, Request request) {
    Call next = device.next();
    if (next instanceof Call.Made made && !made.granted()) {
      // Before a page is made fences are asked; so it was one found that could not be mapped.
      return dryRuns == 0
          && pool.pages.stream().anyMatch(page -> page.block == null && hasRoom(page, request))
          && (isFull(pool) || !pending.isEmpty());
    }
    Allocation got = request.got;
    ModelPage page = got == null || got.pool() != pool.index ? null : pool.page(Inside.page(got));
    return page != null && (next == null || (next instanceof Call.Made && page.block == null));
  }

  private static boolean hasRoom(ModelPage page, Request request) {
    return !page.isIdle() && page.hasRoom(request.padded, request.alignment);
  }

  private static boolean isFull(ModelPool pool) {
    return pool.config instanceof ResolvedPool.Sliced sliced
        && pool.pages.size() >= sliced.maxPages().orElse(Long.MAX_VALUE);
  }

  /** A page that a dry run left unmapped is mapped before a normal request may use it. */
  private void mapFoundPage(ModelPool pool, Request request) throws Refused {
    Rule.holds(dryRuns == 0 && pool.unmapped() > 0, "only an unmapped page needs the driver");
    long best = bestFit(pool, surely(request));
    if (device.make(device.nextMade())) {
      ModelPage page = pool.page(Inside.page(request.mustHave()));
      Rule.holds(page != null && page.block == null, "an unmapped page is mapped");
      Objects.requireNonNull(page).block = blockOf(request);
      return;
    }
    if (best < 0 && !pool.idle().isEmpty()) {
      // It was taken and put back.
      pool.idle().getLast().idleSince = count;
    }
    throw new Refused(true, false);
  }

  private void checkPlace(ModelPool pool, ModelPage page, Request request) {
    Allocation got = request.mustHave();
    long offset = got.byteOffset();
    long hole = page.holeAround(offset, taken(request));
    Rule.holds(hole >= 0, "a slice is cut from what is free");
    Rule.holds(offset % Math.max(request.alignment, granule) == 0, "a slice is aligned");
    Rule.same(blockOf(request), page.block, "the block");
    Rule.holds(dryRuns > 0 || page.block != null, "a normal request gets mapped memory");
    if (exact && request.alignment <= granule) {
      long best = bestFit(pool, surely(request));
      if (best >= 0) {
        Rule.holds(!page.isIdle(), "pages in use come first");
        Rule.equal(hole, best, "the run that is cut");
      } else {
        Rule.same(page, pool.idle().getLast(), "the page that became idle last");
      }
    }
  }

  /** What a slice takes: a size class's where there are shelves, above the request's by 1/16. */
  private long taken(Request request) {
    long taken = Inside.taken(request.mustHave());
    long most = exact ? request.padded : request.padded + request.padded / 16 + granule;
    Rule.holds(taken >= request.padded && taken <= most, "a slice takes what it needs");
    return taken;
  }

  // ---- Whole blocks: section 6

  private Region block(ModelPool pool, long largest, Request request) throws Refused {
    ModelPage page = freeBlock(pool, request.padded);
    if (page == null && pending.poll(MANY)) {
      page = freeBlock(pool, request.padded);
    }
    if (page == null) {
      page = growByBlock(pool, largest, request);
    } else if (page.block == null && dryRuns == 0) {
      if (!device.make(page.byteSize)) {
        becameIdle(page); // It was taken and put back.
        throw new Refused(true, false);
      }
      page.block = blockOf(request);
    }
    Rule.equal(Inside.page(request.mustHave()), page.number, "the block");
    Rule.same(blockOf(request), page.block, "the driver's block");
    Region region = new Region(pool, page, 0, request.byteSize, request.padded, page.byteSize);
    page.taken.put(0L, region);
    page.lastByteSize = request.byteSize;
    return region;
  }

  /** The free block that a request gets: of the smallest that do, the one freed last. */
  private static @Nullable ModelPage freeBlock(ModelPool pool, long padded) {
    boolean exclusive = pool.config instanceof ResolvedPool.Exclusive;
    ModelPage best = null;
    for (ModelPage page : pool.pages) {
      boolean fits = exclusive ? page.byteSize >= padded : page.byteSize == padded;
      if (page.isIdle() && fits && (best == null || isBetter(page, best))) {
        best = page;
      }
    }
    return best;
  }

  private static boolean isBetter(ModelPage page, ModelPage than) {
    return page.byteSize < than.byteSize
        || (page.byteSize == than.byteSize && page.freedOrder > than.freedOrder);
  }

  /** A pool may round a new block up, but must get by with what is needed. */
  private ModelPage growByBlock(ModelPool pool, long largest, Request request) throws Refused {
    if (pool.config instanceof ResolvedPool.Direct direct && pool != persistent) {
      reclaim(pool, direct.reclaimAtByteSize().orElse(Long.MAX_VALUE) - request.padded);
    }
    long byteSize = dryRuns > 0 ? Inside.taken(request.mustHave()) : device.nextMade();
    Rule.holds(byteSize >= request.padded && byteSize <= largest, "a block's size");
    try {
      return grow(pool, byteSize, request);
    } catch (Refused e) {
      if (byteSize == request.padded) {
        throw e;
      }
      return grow(pool, request.padded, request);
    }
  }

  private ModelPage grow(ModelPool pool, long byteSize, Request request) throws Refused {
    if (dryRuns == 0 && !device.make(byteSize)) {
      throw new Refused(true, false);
    }
    Allocation got = request.mustHave();
    ModelPage page = new ModelPage(Inside.page(got), byteSize, blockOf(request));
    Rule.same(pool.page(page.number), null, "the page that had the number");
    Rule.holds((page.block == null) == (dryRuns > 0), "a page of a dry run is unmapped");
    page.idleOrder = ++order;
    pool.pages.add(page);
    pool.pagesPeak = Math.max(pool.pagesPeak, pool.pages.size());
    return page;
  }

  private static @Nullable StorageBlock blockOf(Request request) {
    return Inside.block(request.mustHave()).orElse(null);
  }

  /** Section 2: just enough, longest free first. */
  private void reclaim(ModelPool pool, long mark) {
    for (ModelPage page : pool.idle()) {
      if (pool.reserved() > mark) {
        giveBack(pool, page);
      }
    }
  }

  // ---- Handles and work in flight: section 7

  /** A handle was closed. */
  void closed(Region region) {
    region.handles--;
    if (region.handles == 0 && region.holds == 0) {
      free(region);
    }
    goOnEnding();
  }

  private void free(Region region) {
    region.pool.live.remove(region);
    if (region.page != null && !pending.add(region)) {
      giveToPage(region);
    }
  }

  private void giveToPage(Region region) {
    ModelPage page = Objects.requireNonNull(region.page);
    page.taken.remove(region.offset);
    if (page.isIdle()) {
      becameIdle(page);
    }
  }

  private void becameIdle(ModelPage page) {
    page.idleSince = count;
    page.idleOrder = ++order;
    page.freedOrder = order;
  }

  /** Says that device work uses a slice until a fence has passed. */
  void used(Region region, StepFence fence) {
    region.usedUntil(fence, device);
  }

  /** The memory of a slice was asked for; whether there is to be any. */
  boolean maps(Region region) {
    ModelPage page = Objects.requireNonNull(region.page);
    return page.block != null || device.make(page.byteSize);
  }

  /** Waits until a pending slice of some pools is free; false if that can't be waited for. */
  private boolean awaitFree(Predicate<ModelPool> pools) {
    while (setUp.waits()) {
      StepFence next = pending.next(pools);
      if (next == null) {
        return false;
      }
      device.await(next);
      if (pending.poll(ALL)) {
        return true;
      }
    }
    return false;
  }

  // ---- Giving back: sections 2, 6 and 11

  /** An explicit cleanup; returns the bytes that went back. */
  long cleanUp() {
    if (capture != null) {
      return 0;
    }
    pending.poll(ALL);
    return giveBackIdle();
  }

  private long giveBackIdle() {
    long before = allPools().mapToLong(ModelPool::reserved).sum();
    allPools()
        .forEach(
            pool -> {
              if (exact) {
                pool.idle().forEach(page -> giveBack(pool, page));
              } else {
                giveBackInAnyOrder(pool);
              }
            });
    return before - allPools().mapToLong(ModelPool::reserved).sum();
  }

  /** What was on a shelf keeps its page from being idle, which the model does not see. */
  private void giveBackInAnyOrder(ModelPool pool) {
    List<ModelPage> idle = pool.idle();
    idle.sort(Comparator.comparingInt(page -> page.block == null ? 0 : 1));
    while (!idle.isEmpty()) {
      ModelPage next =
          idle.stream()
              .filter(page -> device.next() instanceof Call.Freed f && f.block().equals(page.block))
              .findFirst()
              .orElse(idle.getFirst());
      idle.remove(next);
      giveBack(pool, next);
    }
  }

  private void giveBackDue() {
    for (ModelPool pool : pools) {
      if (pool.period.isPresent()) {
        for (ModelPage page : pool.idle()) {
          if (count - page.idleSince > pool.period.getAsLong()) {
            giveBack(pool, page);
          }
        }
      }
    }
  }

  private void giveBack(ModelPool pool, ModelPage page) {
    if (page.block == null || device.free(page.block)) {
      pool.pages.remove(page);
    } else {
      page.idleSince = count;
      page.idleOrder = ++order;
    }
  }

  /** Waits for what is pending in the layout's pools, as an install does. */
  void awaitPending() {
    boolean freed = true;
    while (freed) {
      freed = awaitFree(pool -> pool != persistent);
    }
  }

  /** What an install has to say, none if it may be. */
  Optional<Class<? extends RuntimeException>> refusesInstall() {
    if (capture != null) {
      return Optional.of(IllegalStateException.class);
    }
    boolean used = pools.stream().anyMatch(pool -> !pool.live.isEmpty() || pool.pending() > 0);
    return used ? Optional.of(PoolsInUseException.class) : Optional.empty();
  }

  /** Puts another layout in force; false if the driver did not take every page back. */
  boolean installed() {
    cleanUp();
    if (pools.stream().anyMatch(pool -> pool.reserved() > 0)) {
      return false;
    }
    layout();
    return true;
  }

  /** The stream ends: it serves nothing more. */
  void ended() {
    ending = true;
    exact = true;
    goOnEnding();
  }

  /** Whether nothing is left of a stream that ended. */
  void goOnEnding() {
    if (!ending || !device.managers.contains(this)) {
      return;
    }
    pending.poll(ALL);
    if (capture == null) {
      giveBackIdle();
    }
    if (allPools().allMatch(pool -> pool.live.isEmpty() && pool.pages.isEmpty())) {
      device.managers.remove(this);
    }
  }

  // ---- Captures: section 8

  /** A capture begins; the one under way, if there is one. */
  ModelCapture capturing() {
    if (capture == null) {
      capture = new ModelCapture();
    }
    return capture;
  }

  void endedPriming(ModelCapture ended) {
    if (capture == ended) {
      letGo(ended);
    }
  }

  private void letGo(ModelCapture of) {
    of.priming = false;
    of.primed.values().forEach(this::dropHold);
    of.primed.clear();
  }

  /** A capture ended; the slices that it pinned, null if it had ended before. */
  @Nullable List<Region> pinned(ModelCapture ended) {
    if (capture != ended || !device.managers.contains(this)) {
      return null;
    }
    List<Region> pinned = ended.touched.values().stream().map(this::pin).toList();
    raisePeaks();
    letGo(ended);
    capture = null;
    giveBackDue();
    goOnEnding();
    return pinned;
  }

  /** A slice that was handed out is held; a free or pending one is live again. */
  private Region pin(ModelPage page) {
    Region region = page.taken.get(0L);
    if (region == null) {
      long padded = page.byteSize;
      region = new Region(persistent, page, 0, page.lastByteSize, padded, padded);
      page.taken.put(0L, region);
    } else if (region.waiting != null) {
      region.fences.clear();
      region.fences.addAll(region.waiting.fences);
      region.waiting = null;
    }
    persistent.live.add(region);
    region.holds++;
    return region;
  }

  /** A pin was closed. */
  void unpinned(@Nullable List<Region> regions) {
    if (regions != null && device.managers.contains(this)) {
      regions.forEach(this::dropHold);
      goOnEnding();
    }
  }

  private void dropHold(Region region) {
    region.holds--;
    if (region.holds == 0 && region.handles == 0) {
      free(region);
    }
  }

  // ---- What is counted: section 9

  private void raisePeaks() {
    allPools().forEach(pool -> pool.peaks.raise(List.of(pool)));
    peaks.raise(allPools().toList());
    device.raisePeaks();
  }

  /** Every total, peak and mark is what the rules make it. */
  void check() {
    Inside.check(manager);
    Rule.same(manager.usage(), peaks.usage(allPools().toList()), "usage");
    for (MemoryReport.PoolReport pool : manager.report().allPools()) {
      ModelPool model = pool.index() == persistent.index ? persistent : pools.get(pool.index());
      Rule.same(pool.usage(), model.peaks.usage(List.of(model)), "usage of a pool");
      Rule.equal(pool.pages(), model.pages.size(), "pages");
      Rule.equal(pool.pagesPeak(), model.pagesPeak, "the peak of pages");
      Rule.equal(pool.pagesUnmapped(), model.unmapped(), "unmapped pages");
      Rule.equal(pool.spills(), model.spills, "spills");
      Rule.equal(pool.served(), model.served, "served requests");
      Rule.equal(pool.largestAlloc().bytes(), model.largest, "the largest request");
    }
  }
}
