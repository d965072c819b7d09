package io.cistern.layout;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Feature;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A list of pools as it works on one device: presets expanded, sizes rounded, faults refused.
 *
 * <p>An immutable value.
 */
public final class PoolLayout {

  /** The most pools that a layout may have, as in the reference. */
  public static final int MAX_POOLS = 254;

  private final MemoryPoolsConfig config;
  private final DeviceProperties device;
  private final List<ResolvedPool> pools;

  private PoolLayout(MemoryPoolsConfig config, DeviceProperties device, List<ResolvedPool> pools) {
    this.config = config;
    this.device = device;
    this.pools = pools;
  }

  /**
   * Works out what a list of pools means on a device. A pure function.
   *
   * @param config the pools that are wanted
   * @param device the device's properties
   * @return the pools in routing order
   * @throws LayoutException if the list can't work on the device; carries the values. The number of
   *     entries is checked first, then the alignment, then the first faulty entry decides
   */
  public static PoolLayout resolve(MemoryPoolsConfig config, DeviceProperties device) {
    List<ResolvedPool> pools =
        switch (config) {
          case MemoryPoolsConfig.Preset preset -> preset(preset, device);
          case MemoryPoolsConfig.Explicit explicit -> explicit(explicit.pools(), device);
        };
    return new PoolLayout(config, device, pools);
  }

  /** The preset that a device gets when nothing is said: sub-slices where a block can be shared. */
  public static MemoryPoolsConfig defaultFor(DeviceProperties device) {
    return device.has(Feature.EXCLUSIVE_MEMORY_ONLY)
        ? MemoryPoolsConfig.exclusivePages()
        : MemoryPoolsConfig.subSlices();
  }

  private static List<ResolvedPool> preset(
      MemoryPoolsConfig.Preset preset, DeviceProperties device) {
    Alignment alignment = new Alignment(device.byteAlignment());
    long maxPageByteSize = device.maxPageSize().bytes();
    return switch (preset) {
      case SUB_SLICES -> {
        if (device.has(Feature.EXCLUSIVE_MEMORY_ONLY)) {
          throw new LayoutException(new LayoutFault.PresetUnavailable(preset));
        }
        yield Presets.subSlices(maxPageByteSize, alignment);
      }
      case EXCLUSIVE_PAGES -> Presets.exclusivePages(maxPageByteSize, alignment);
    };
  }

  private static List<ResolvedPool> explicit(
      List<MemoryPoolConfig> entries, DeviceProperties device) {
    if (entries.isEmpty()) {
      throw new LayoutException(new LayoutFault.EmptyList());
    }
    if (entries.size() > MAX_POOLS) {
      throw new LayoutException(new LayoutFault.TooManyPools(entries.size(), MAX_POOLS));
    }
    Alignment alignment = new Alignment(device.byteAlignment());
    List<ResolvedPool> pools = new ArrayList<>(entries.size());
    for (MemoryPoolConfig entry : entries) {
      pools.add(new EntryResolver(pools.size(), device, alignment).resolve(entry));
    }
    return List.copyOf(pools);
  }

  /** What was asked for. */
  public MemoryPoolsConfig config() {
    return config;
  }

  /** The device that this layout was worked out for. */
  public DeviceProperties device() {
    return device;
  }

  /** The pools in routing order: the first that accepts a size serves it. */
  public List<ResolvedPool> pools() {
    return pools;
  }

  /** Whether two layouts have the same pools on the same device. */
  @Override
  public boolean equals(Object other) {
    return other instanceof PoolLayout that
        && pools.equals(that.pools)
        && device.equals(that.device);
  }

  @Override
  public int hashCode() {
    return Objects.hash(pools, device);
  }

  @Override
  public String toString() {
    return "PoolLayout" + pools;
  }

  /** Checks and rounds one entry; the order of its checks is part of the contract. */
  private record EntryResolver(int entry, DeviceProperties device, Alignment alignment) {

    ResolvedPool resolve(MemoryPoolConfig config) {
      return switch (config) {
        case MemoryPoolConfig.Exclusive exclusive -> resolve(exclusive);
        case MemoryPoolConfig.Direct direct -> new ResolvedPool.Direct(bytes(direct.reclaimAt()));
        case MemoryPoolConfig.Sliced sliced -> resolve(sliced);
      };
    }

    private ResolvedPool resolve(MemoryPoolConfig.Exclusive exclusive) {
      long maxAlloc = roundUp("max_alloc_size", exclusive.maxAllocSize());
      return new ResolvedPool.Exclusive(maxAlloc, period(exclusive.deallocPeriod()));
    }

    private ResolvedPool resolve(MemoryPoolConfig.Sliced sliced) {
      if (device.has(Feature.EXCLUSIVE_MEMORY_ONLY)) {
        throw new LayoutException(new LayoutFault.SlicedPoolsUnavailable(entry));
      }
      notZero("page_size", sliced.pageSize());
      sliced.maxSliceSize().ifPresent(size -> notZero("max_slice_size", size));
      long page = roundUp("page_size", sliced.pageSize());
      long slice = sliced.maxSliceSize().map(size -> roundUp("max_slice_size", size)).orElse(page);
      if (slice > page) {
        throw new LayoutException(
            new LayoutFault.SliceLargerThanPage(entry, page, slice, alignment.bytes()));
      }
      OptionalLong maxPages = maxPages(page, sliced.maxPoolSize());
      return new ResolvedPool.Sliced(page, slice, maxPages, period(sliced.deallocPeriod()));
    }

    private OptionalLong maxPages(long page, Optional<MemorySize> cap) {
      if (cap.isEmpty()) {
        return OptionalLong.empty();
      }
      notZero("max_pool_size", cap.get());
      long capBytes = cap.get().bytes();
      if (capBytes < page) {
        throw new LayoutException(
            new LayoutFault.CapSmallerThanPage(entry, page, capBytes, alignment.bytes()));
      }
      return OptionalLong.of(capBytes / page);
    }

    private OptionalLong period(OptionalLong period) {
      if (period.isPresent() && period.getAsLong() < 0) {
        throw new LayoutException(
            new LayoutFault.OutOfRange(entry, "dealloc_period", period.getAsLong()));
      }
      return period;
    }

    private void notZero(String field, MemorySize size) {
      if (size.bytes() == 0) {
        throw new LayoutException(new LayoutFault.ZeroSize(entry, field));
      }
    }

    private long roundUp(String field, MemorySize size) {
      if (!alignment.canRoundUp(size.bytes())) {
        throw new LayoutException(new LayoutFault.OutOfRange(entry, field, size.bytes()));
      }
      return alignment.up(size.bytes());
    }

    private static OptionalLong bytes(Optional<MemorySize> size) {
      return size.isPresent() ? OptionalLong.of(size.get().bytes()) : OptionalLong.empty();
    }
  }
}
