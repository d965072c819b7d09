package io.cistern.manager;

import io.cistern.LeakSite;
import io.cistern.config.SafetyOptions;
import io.cistern.pool.Pool;
import java.lang.foreign.Arena;
import java.lang.ref.Cleaner;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The handles of a manager that are watched until they are closed: a part of them for leaks, all of
 * them where segments end with their handle. Safe for many threads.
 */
final class HandleWatches {

  /** How many stack frames of a request are kept. */
  private static final int FRAMES = 16;

  private final MemoryManager manager;
  private final SafetyOptions options;
  private final boolean confined;
  private final Set<HandleWatch> open = ConcurrentHashMap.newKeySet();

  /** One thread for all managers, made when the first handle is watched. */
  private static final class Lost {
    static final Cleaner CLEANER = Cleaner.create();
  }

  HandleWatches(MemoryManager manager, SafetyOptions options, boolean confined) {
    this.manager = manager;
    this.options = options;
    this.confined = confined;
  }

  /** Makes a handle on a live slice, watched or not. The arguments are an allocation's. */
  Allocation handle(Pool pool, int slice, boolean sole) {
    boolean forLeaks = isSample(pool.slices().generation(slice), slice);
    if (!forLeaks && !options.check()) {
      return new Allocation(manager, pool, slice, sole);
    }
    List<String> calls = forLeaks ? Places.calls(FRAMES) : List.of();
    HandleWatch watch = new HandleWatch(this, manager.usable(pool, slice), calls);
    WatchedAllocation handle = new WatchedAllocation(manager, pool, slice, watch, options.check());
    open.add(watch);
    if (forLeaks) {
      watch.tellWhenLost(Lost.CLEANER, handle);
    }
    return handle;
  }

  /**
   * Whether an owner of a slice is one of the sample. Slice and generation are mixed, so that
   * neither a slice that is used again and again nor a pattern of requests falls out of it, and
   * threads share no counter.
   */
  private boolean isSample(int generation, int slice) {
    int oneIn = options.leaks();
    if (oneIn < 2) {
      return oneIn == 1;
    }
    // Multipliers of MurmurHash3 (Austin Appleby, public domain).
    int mixed = (slice * 0x85EBCA6B) ^ (generation * 0xC2B2AE35);
    mixed = (mixed ^ (mixed >>> 15)) * 0x85EBCA6B;
    return Integer.remainderUnsigned(mixed ^ (mixed >>> 13), oneIn) == 0;
  }

  /** A lifetime for what a handle lends. */
  @SuppressWarnings("MustBeClosedChecker") // Closed with the handle.
  Arena openLease() {
    manager.checkThread();
    return confined ? Arena.ofConfined() : Arena.ofShared();
  }

  void forget(HandleWatch watch) {
    open.remove(watch);
  }

  void lost(HandleWatch watch) {
    manager.tellLost(watch.site());
  }

  /** The open handles that are watched for leaks, by the calls that made them, largest first. */
  List<LeakSite> sites() {
    Map<List<String>, LeakSite> sites = new HashMap<>();
    for (HandleWatch watch : open) {
      LeakSite one = watch.site();
      if (!one.calls().isEmpty()) {
        sites.merge(one.calls(), one, HandleWatches::sum);
      }
    }
    return sites.values().stream()
        .sorted(Comparator.comparingLong(LeakSite::byteSize).reversed())
        .toList();
  }

  private static LeakSite sum(LeakSite one, LeakSite other) {
    return new LeakSite(
        one.calls(),
        one.handles() + other.handles(),
        one.byteSize() + other.byteSize(),
        one.unreachable() + other.unreachable());
  }

  /** Ends all that is lent, as far as it is not in use this moment: that keeps its block. */
  void endAll() {
    for (HandleWatch watch : open) {
      try {
        watch.end();
      } catch (IllegalStateException inUse) {
        // Its block has lent memory, and stays out.
      }
    }
    open.clear();
  }
}
