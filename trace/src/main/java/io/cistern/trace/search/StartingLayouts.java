package io.cistern.trace.search;

import static io.cistern.config.MemoryPoolConfig.direct;
import static io.cistern.config.MemoryPoolConfig.sliced;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig.Preset;
import io.cistern.layout.LayoutException;
import io.cistern.layout.PoolLayout;
import io.cistern.layout.ResolvedPool;
import io.cistern.storage.DeviceProperties;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The layouts that a search begins with: few kinds, each at many sizes. */
final class StartingLayouts {

  private static final long SMALLEST_PAGE = 256L << 10;
  private static final long LARGEST_PAGE = 1L << 30;

  private static final int FEW_TRACES = 3;

  private static final double[] SHARES = {0.02, 0.1, 0.25, 0.5, 0.75, 0.9};

  private final List<TraceShape> traces;
  private final DeviceProperties device;
  private final List<Candidate> candidates = new ArrayList<>();

  private StartingLayouts(List<TraceShape> traces, DeviceProperties device) {
    this.traces = traces;
    this.device = device;
  }

  /** The presets, as entries. */
  static List<Candidate> presets(DeviceProperties device) {
    return Arrays.stream(Preset.values()).flatMap(preset -> preset(preset, device)).toList();
  }

  private static Stream<Candidate> preset(Preset preset, DeviceProperties device) {
    try {
      List<MemoryPoolConfig> entries = new ArrayList<>();
      for (ResolvedPool pool : PoolLayout.resolve(preset, device).pools()) {
        entries.add(pool.toEntry());
      }
      return Stream.of(Candidate.of(preset.text(), false, entries, device));
    } catch (LayoutException e) {
      // A device may not be able to share blocks, or have an odd largest page.
      return Stream.empty();
    }
  }

  /** All but the presets, the same ones in the same order each time. */
  static List<Candidate> of(List<TraceShape> traces, DeviceProperties device) {
    StartingLayouts layouts = new StartingLayouts(traces, device);
    layouts.onePage();
    layouts.equalPages();
    layouts.ladders();
    layouts.twoRungs();
    layouts.tiers();
    return List.copyOf(layouts.candidates);
  }

  /** For one trace or few; more than these have no page in common. */
  private void onePage() {
    boolean few = traces.size() <= FEW_TRACES;
    for (TraceShape trace : few ? traces : List.of(largest())) {
      for (int percent = 0; percent <= (few ? 30 : 0); percent++) {
        long page = page(trace.lowerBound() + trace.lowerBound() / 100 * percent);
        add("one page", sliced(MemorySize.of(page)));
      }
      for (int percent = 50; percent <= 100; percent += few ? 5 : 50) {
        long page = page(trace.lowerBound() / 100 * percent);
        for (int parts = 8; parts <= 128; parts *= 4) {
          add(
              "one page and overflow",
              capped(page, 1),
              sliced(MemorySize.of(page(trace.lowerBound() / parts))));
        }
      }
    }
  }

  private TraceShape largest() {
    TraceShape largest = traces.getFirst();
    for (TraceShape trace : traces) {
      if (trace.lowerBound() > largest.lowerBound()) {
        largest = trace;
      }
    }
    return largest;
  }

  private void equalPages() {
    for (long page = SMALLEST_PAGE; page <= LARGEST_PAGE; page *= 2) {
      add("equal pages", sliced(MemorySize.of(page(page))));
    }
  }

  private void ladders() {
    long most = traces.stream().mapToLong(TraceShape::lowerBound).max().orElse(0);
    for (long smallest = SMALLEST_PAGE; smallest <= 32 << 20; smallest *= 2) {
      for (int step = 2; step <= 4; step *= 2) {
        for (int pages = 2; pages <= 128; pages *= 4) {
          ladder(smallest, step, pages, most);
        }
      }
    }
  }

  /** Each rung takes what the one before has no room for, on larger pages. */
  private void ladder(long smallest, int step, int pages, long most) {
    List<MemoryPoolConfig> rungs = new ArrayList<>();
    long held = 0;
    long page = smallest;
    while (held < most && page < LARGEST_PAGE) {
      rungs.add(capped(page(page), pages));
      held += page * pages;
      page *= step;
    }
    rungs.add(sliced(MemorySize.of(page(page))));
    add("ladder", rungs.toArray(MemoryPoolConfig[]::new));
  }

  /** Some small pages, then large ones for slices of the same sizes; what is larger is whole. */
  private void twoRungs() {
    for (long small = 4 << 20; small <= 32 << 20; small += 4 << 20) {
      for (int pages = 8; pages <= 32; pages *= 2) {
        for (int times = 4; times <= 8; times *= 2) {
          add(
              "two rungs",
              capped(page(small), pages),
              sliced(MemorySize.of(page(small * times))).withMaxSliceSize(MemorySize.of(small)));
        }
      }
    }
  }

  private void tiers() {
    TraceShape largest = largest();
    for (int low = 0; low < SHARES.length; low++) {
      long first = largest.sizeOfShare(SHARES[low]);
      for (int pages = 4; pages <= 64; pages *= 4) {
        add("two tiers", tier(largest, pages * 4, first), tier(largest, pages, Long.MAX_VALUE));
        for (int high = low + 1; high < SHARES.length; high++) {
          add(
              "three tiers",
              tier(largest, pages * 16, first),
              tier(largest, pages * 4, largest.sizeOfShare(SHARES[high])),
              tier(largest, pages, Long.MAX_VALUE));
        }
      }
    }
  }

  /** A pool for slices up to a size, of pages of a part of what is live at most. */
  private MemoryPoolConfig tier(TraceShape trace, int parts, long maxSlice) {
    long slice = Math.max(1, Math.min(maxSlice, trace.largest()));
    long page = page(Math.max(slice, trace.lowerBound() / parts));
    return sliced(MemorySize.of(page)).withMaxSliceSize(MemorySize.of(slice));
  }

  /** Adds a layout with a direct pool behind, in two ways. */
  private void add(String family, MemoryPoolConfig... pools) {
    for (MemoryPoolConfig last : List.of(direct(), direct().withReclaimAt(MemorySize.ZERO))) {
      List<MemoryPoolConfig> entries = new ArrayList<>(List.of(pools));
      entries.add(last);
      candidates.add(Candidate.of(family, false, entries, device));
    }
  }

  private MemoryPoolConfig capped(long page, int pages) {
    return sliced(MemorySize.of(page)).withMaxPoolSize(MemorySize.of(page * pages));
  }

  private long page(long byteSize) {
    return PageSizes.round(byteSize, device.byteAlignment());
  }
}
