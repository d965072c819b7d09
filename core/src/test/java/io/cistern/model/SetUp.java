package io.cistern.model;

import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.PersistentMemory;
import io.cistern.layout.PoolLayout;
import io.cistern.layout.ResolvedPool;
import io.cistern.manager.MemoryManagerBuilder;
import io.cistern.storage.DeviceProperties;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What a program begins with.
 *
 * @param device a simulated device
 * @param pools the layout at the begin
 * @param persistent when requests are persistent
 * @param waits whether requests wait for fences, which pass when waited for
 * @param managers whose managers they are
 */
record SetUp(
    DeviceProperties device,
    MemoryPoolsConfig pools,
    PersistentMemory persistent,
    boolean waits,
    Managers managers) {

  /** Managers with pages below this size keep no slices ready on shelves. */
  private static final long SMALLEST_PAGE_WITH_SHELVES = 64 << 10;

  /** Whose managers they are. */
  enum Managers {
    /** One, of one thread alone. */
    CONFINED,
    /** One for all threads. */
    SHARED,
    /** One for each stream of the device. */
    STREAMS
  }

  /** Whether the place of each slice is settled: no shelf has slices ready. */
  boolean placesExactly(PoolLayout layout) {
    return managers == Managers.CONFINED
        || layout.pools().stream()
            .noneMatch(
                pool ->
                    pool instanceof ResolvedPool.Sliced sliced
                        && sliced.pageByteSize() >= SMALLEST_PAGE_WITH_SHELVES);
  }

  /** Tells a builder all but the pools. */
  void tell(MemoryManagerBuilder builder) {
    builder.persistent(persistent).maxWait(waits ? Duration.ofMinutes(1) : Duration.ZERO);
    if (managers == Managers.CONFINED) {
      builder.confined();
    }
  }

  /** The head of a script. */
  String text() {
    return """
        device capacity=%d alignment=%d block_alignment=%d max_page_size=%d
        manager %s persistent=%s max_wait=%s
        layout %s
        """
        .formatted(
            device.total().bytes(),
            device.byteAlignment(),
            device.blockAlignment(),
            device.maxPageSize().bytes(),
            managers.name().toLowerCase(Locale.ROOT),
            persistent.name().toLowerCase(Locale.ROOT).replace('_', '-'),
            waits ? "60s" : "0s",
            text(pools));
  }

  /** A layout as one line of a script. */
  static String text(MemoryPoolsConfig pools) {
    return switch (pools) {
      case MemoryPoolsConfig.Preset preset ->
          preset.name().toLowerCase(Locale.ROOT).replace('_', '-');
      case MemoryPoolsConfig.Explicit explicit ->
          explicit.pools().stream().map(SetUp::text).collect(Collectors.joining(" | "));
    };
  }

  private static String text(MemoryPoolConfig pool) {
    StringBuilder text = new StringBuilder();
    switch (pool) {
      case MemoryPoolConfig.Sliced sliced -> {
        text.append("sliced page_size=").append(sliced.pageSize().bytes());
        sliced.maxSliceSize().ifPresent(s -> text.append(" max_slice_size=").append(s.bytes()));
        sliced.maxPoolSize().ifPresent(s -> text.append(" max_pool_size=").append(s.bytes()));
        sliced.deallocPeriod().ifPresent(n -> text.append(" dealloc_period=").append(n));
      }
      case MemoryPoolConfig.Exclusive exclusive -> {
        text.append("exclusive max_alloc_size=").append(exclusive.maxAllocSize().bytes());
        exclusive.deallocPeriod().ifPresent(n -> text.append(" dealloc_period=").append(n));
      }
      case MemoryPoolConfig.Direct direct -> {
        text.append("direct");
        direct.reclaimAt().ifPresent(s -> text.append(" reclaim_at=").append(s.bytes()));
      }
    }
    return text.toString();
  }
}
