package io.cistern.model;

import io.cistern.layout.ResolvedPool;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A pool: its pages, its live slices and its marks. */
final class ModelPool {

  /** The persistent pool's index. */
  static final int PERSISTENT = -1;

  final int index;
  final ResolvedPool config;
  final OptionalLong period;
  final List<ModelPage> pages = new ArrayList<>();
  final Set<Region> live = new LinkedHashSet<>();
  final Peaks peaks = new Peaks();
  long pagesPeak;
  long spills;
  long served;
  long largest;

  ModelPool(int index, ResolvedPool config) {
    this.index = index;
    this.config = config;
    this.period =
        switch (config) {
          case ResolvedPool.Sliced sliced -> sliced.deallocPeriod();
          case ResolvedPool.Exclusive exclusive -> exclusive.deallocPeriod();
          case ResolvedPool.Direct _ -> OptionalLong.empty();
        };
  }

  long reserved() {
    long sum = 0;
    for (ModelPage page : pages) {
      sum += page.byteSize;
    }
    return sum;
  }

  long pending() {
    long sum = 0;
    for (ModelPage page : pages) {
      for (Region region : page.taken.values()) {
        sum += region.waiting != null ? region.padded : 0;
      }
    }
    return sum;
  }

  long unmapped() {
    return pages.stream().filter(page -> page.block == null).count();
  }

  /** The idle pages, the longest idle first. */
  List<ModelPage> idle() {
    List<ModelPage> idle = new ArrayList<>();
    for (ModelPage page : pages) {
      if (page.isIdle()) {
        idle.add(page);
      }
    }
    idle.sort(Comparator.comparingLong(page -> page.idleOrder));
    return idle;
  }

  @Nullable ModelPage page(int number) {
    for (ModelPage page : pages) {
      if (page.number == number) {
        return page;
      }
    }
    return null;
  }
}
