package io.cistern.toml;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import java.util.Optional;
import java.util.OptionalLong;

/** Writes a layout as TOML: one key a line, and only what is set. */
final class LayoutWriter {
  private final StringBuilder out = new StringBuilder();

  private LayoutWriter() {}

  static String write(LayoutFile layout, String comment) {
    LayoutWriter writer = new LayoutWriter();
    writer.comment(comment);
    writer.text(Key.PERSISTENT, layout.persistent().text());
    writer.pools(layout.pools());
    return writer.out.toString();
  }

  private void comment(String comment) {
    // Line ends of all kinds part lines; other control characters may not stand in a comment.
    comment
        .lines()
        .map(line -> ("# " + line.replaceAll("\\p{Cntrl}", " ")).stripTrailing())
        .forEach(line -> out.append(line).append('\n'));
    if (!out.isEmpty()) {
      out.append('\n');
    }
  }

  private void pools(MemoryPoolsConfig pools) {
    switch (pools) {
      case MemoryPoolsConfig.Preset preset -> text(Key.POOLS, preset.text());
      case MemoryPoolsConfig.Explicit(var entries) when entries.isEmpty() -> line(Key.POOLS, "[]");
      case MemoryPoolsConfig.Explicit(var entries) -> entries.forEach(this::pool);
    }
  }

  private void pool(MemoryPoolConfig pool) {
    out.append("\n[[").append(Key.POOLS).append("]]\n");
    switch (pool) {
      case MemoryPoolConfig.Exclusive exclusive -> {
        text(Key.TYPE, PoolType.EXCLUSIVE.text());
        size(Key.MAX_ALLOC_SIZE, Optional.of(exclusive.maxAllocSize()));
        count(Key.DEALLOC_PERIOD, exclusive.deallocPeriod());
      }
      case MemoryPoolConfig.Direct direct -> {
        text(Key.TYPE, PoolType.DIRECT.text());
        size(Key.RECLAIM_AT, direct.reclaimAt());
      }
      case MemoryPoolConfig.Sliced sliced -> {
        text(Key.TYPE, PoolType.SLICED.text());
        size(Key.PAGE_SIZE, Optional.of(sliced.pageSize()));
        size(Key.MAX_SLICE_SIZE, sliced.maxSliceSize());
        size(Key.MAX_POOL_SIZE, sliced.maxPoolSize());
        count(Key.DEALLOC_PERIOD, sliced.deallocPeriod());
      }
    }
  }

  private void size(String key, Optional<MemorySize> size) {
    size.ifPresent(set -> text(key, set.toString()));
  }

  private void count(String key, OptionalLong count) {
    count.ifPresent(set -> line(key, Long.toString(set)));
  }

  /** A key with a text of ours, which has nothing that a TOML text must escape. */
  private void text(String key, String value) {
    line(key, '"' + value + '"');
  }

  private void line(String key, String value) {
    out.append(key).append(" = ").append(value).append('\n');
  }
}
