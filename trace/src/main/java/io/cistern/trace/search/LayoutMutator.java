package io.cistern.trace.search;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolConfig.Direct;
import io.cistern.config.MemoryPoolConfig.Exclusive;
import io.cistern.config.MemoryPoolConfig.Sliced;
import io.cistern.layout.ResolvedPool;
import io.cistern.storage.DeviceProperties;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/** Makes neighbours of layouts: one or two fields changed, a pool more or less, or two swapped. */
final class LayoutMutator {

  /** Layouts for people to read: more pools than these are not tried. */
  private static final int MOST_POOLS = 12;

  /** How far sizes move: by factors of up to 2 to the power of these. */
  private static final double[] REACHES = {0.01, 0.05, 0.25, 1};

  private static final int MOST_PERIOD_DIGITS = 5;

  private final List<TraceShape> traces;
  private final DeviceProperties device;
  private final SplittableRandom random;

  LayoutMutator(List<TraceShape> traces, DeviceProperties device, SplittableRandom random) {
    this.traces = traces;
    this.device = device;
    this.random = random;
  }

  /** A neighbour, which is not always another layout. */
  Candidate neighbour(Trial parent) {
    List<MemoryPoolConfig> pools = new ArrayList<>();
    for (ResolvedPool pool : parent.candidate().layout().pools()) {
      pools.add(pool.toEntry());
    }
    // Pages are looked up by index, so pools come and go after fields have changed.
    for (int changes = 1 + random.nextInt(2); changes > 0; changes--) {
      int index = random.nextInt(pools.size());
      pools.set(index, changed(pools.get(index), parent.pagesPeak().get(index)));
    }
    if (random.nextInt(4) == 0) {
      rearrange(pools);
    }
    return Candidate.of(parent.candidate().family(), true, tidy(pools), device);
  }

  private MemoryPoolConfig changed(MemoryPoolConfig pool, long pagesPeak) {
    return switch (pool) {
      case Exclusive exclusive -> changed(exclusive);
      case Direct direct -> new Direct(watermark());
      case Sliced sliced -> changed(sliced, pagesPeak);
    };
  }

  private MemoryPoolConfig changed(Exclusive pool) {
    return random.nextBoolean()
        ? pool.withMaxAllocSize(MemorySize.of(moved(pool.maxAllocSize().bytes())))
        : new Exclusive(pool.maxAllocSize(), period());
  }

  private MemoryPoolConfig changed(Sliced pool, long pagesPeak) {
    long page = pool.pageSize().bytes();
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> withPage(pool, page(moved(page)));
      case 3 -> pool.withMaxSliceSize(MemorySize.of(moved(slice(pool))));
      case 4 -> pool.withMaxSliceSize(MemorySize.of(Math.max(1, someSize())));
      case 5 -> withCap(pool, OptionalLong.of(page * (1 + random.nextLong(pagesPeak + 1))));
      case 6 ->
          withCap(
              pool,
              random.nextInt(3) == 0
                  ? OptionalLong.empty()
                  : OptionalLong.of(page * Math.max(1, pagesPeak - random.nextInt(3))));
      default -> new Sliced(pool.pageSize(), pool.maxSliceSize(), pool.maxPoolSize(), period());
    };
  }

  /** The cap and the slices keep their relation to the page. */
  private static Sliced withPage(Sliced pool, long page) {
    long before = pool.pageSize().bytes();
    boolean whole = slice(pool) == before;
    Sliced moved =
        new Sliced(
            MemorySize.of(page),
            whole ? Optional.of(MemorySize.of(page)) : pool.maxSliceSize(),
            pool.maxPoolSize(),
            pool.deallocPeriod());
    return pool.maxPoolSize().isEmpty()
        ? moved
        : withCap(moved, OptionalLong.of(page * (pool.maxPoolSize().get().bytes() / before)));
  }

  private static Sliced withCap(Sliced pool, OptionalLong byteSize) {
    return new Sliced(
        pool.pageSize(),
        pool.maxSliceSize(),
        byteSize.isPresent() ? Optional.of(MemorySize.of(byteSize.getAsLong())) : Optional.empty(),
        pool.deallocPeriod());
  }

  private static long slice(Sliced pool) {
    return pool.maxSliceSize().orElse(pool.pageSize()).bytes();
  }

  private void rearrange(List<MemoryPoolConfig> pools) {
    int index = random.nextInt(pools.size());
    switch (random.nextInt(4)) {
      case 0 -> pools.remove(index);
      case 1 -> Collections.swap(pools, index, random.nextInt(pools.size()));
      case 2 -> pools.add(index, new Exclusive(MemorySize.of(Math.max(1, someSize())), period()));
      default -> pools.add(index, newSliced());
    }
  }

  private MemoryPoolConfig newSliced() {
    TraceShape trace = traces.get(random.nextInt(traces.size()));
    long page = page(trace.lowerBound() >> random.nextInt(10));
    Sliced pool = MemoryPoolConfig.sliced(MemorySize.of(page));
    if (random.nextBoolean()) {
      pool = pool.withMaxSliceSize(MemorySize.of(Math.max(1, someSize())));
    }
    return random.nextBoolean()
        ? withCap(pool, OptionalLong.of(page * (1 + random.nextInt(8))))
        : pool;
  }

  /**
   * Slices no larger than pages, nothing behind a pool for all sizes, and such a pool at the end.
   */
  private List<MemoryPoolConfig> tidy(List<MemoryPoolConfig> pools) {
    List<MemoryPoolConfig> tidy = new ArrayList<>();
    for (MemoryPoolConfig pool : pools) {
      if (tidy.size() == MOST_POOLS - 1 || pool instanceof Direct) {
        break;
      }
      tidy.add(pool instanceof Sliced sliced ? tidy(sliced) : pool);
    }
    tidy.add(
        pools.stream()
            .filter(Direct.class::isInstance)
            .findFirst()
            .orElseGet(MemoryPoolConfig::direct));
    return tidy;
  }

  private Sliced tidy(Sliced pool) {
    long page = pool.pageSize().bytes();
    // The page is a multiple of the alignment, so what is not above it does not round above it.
    return pool.withMaxSliceSize(MemorySize.of(Math.min(page, slice(pool))));
  }

  private long moved(long byteSize) {
    double reach = REACHES[random.nextInt(REACHES.length)];
    double factor = StrictMath.pow(2, (2 * random.nextDouble() - 1) * reach);
    return Math.clamp((long) (byteSize * factor), 1, PageSizes.MOST);
  }

  private long page(long byteSize) {
    return PageSizes.round(byteSize, device.byteAlignment());
  }

  /** A size that is asked for, the more likely the more bytes are. */
  private long someSize() {
    return traces.get(random.nextInt(traces.size())).sizeOfShare(random.nextDouble());
  }

  private OptionalLong period() {
    if (random.nextInt(3) == 0) {
      return OptionalLong.empty();
    }
    long digits = 1;
    for (int i = random.nextInt(MOST_PERIOD_DIGITS); i > 0; i--) {
      digits *= 10;
    }
    return OptionalLong.of(digits * (1 + random.nextInt(9)));
  }

  private Optional<MemorySize> watermark() {
    return switch (random.nextInt(3)) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of(MemorySize.ZERO);
      default -> {
        long bound = traces.get(random.nextInt(traces.size())).lowerBound();
        yield Optional.of(MemorySize.of(page((long) (bound * random.nextDouble()))));
      }
    };
  }
}
