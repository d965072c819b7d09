package io.cistern.cli;

import io.cistern.MemorySize;
import io.cistern.layout.PoolLayout;
import io.cistern.layout.ResolvedPool;
import io.cistern.trace.report.ReportJson;
import java.util.OptionalLong;

/** The pools of a layout for people. */
final class PoolTable {

  private PoolTable() {}

  /** A line for each pool, in routing order. */
  static String of(PoolLayout layout) {
    TextTable table =
        new TextTable(
            2, "#", "kind", "max alloc", "page", "max slice", "cap", "reclaim at", "period");
    for (int i = 0; i < layout.pools().size(); i++) {
      table.add(cells(i, layout.pools().get(i)));
    }
    return table.text();
  }

  private static String[] cells(int index, ResolvedPool pool) {
    String number = Integer.toString(index);
    String kind = ReportJson.type(pool);
    return switch (pool) {
      case ResolvedPool.Exclusive(long max, OptionalLong period) ->
          new String[] {number, kind, size(max), "", "", "", "", text(period)};
      case ResolvedPool.Direct(OptionalLong reclaimAt) ->
          new String[] {number, kind, "any", "", "", "", size(reclaimAt), ""};
      case ResolvedPool.Sliced sliced ->
          new String[] {
            number,
            kind,
            "",
            size(sliced.pageByteSize()),
            size(sliced.maxSliceByteSize()),
            size(sliced.maxPoolByteSize()),
            "",
            text(sliced.deallocPeriod())
          };
    };
  }

  private static String size(long bytes) {
    return MemorySize.of(bytes).toString();
  }

  private static String size(OptionalLong bytes) {
    return bytes.isPresent() ? size(bytes.getAsLong()) : "";
  }

  private static String text(OptionalLong count) {
    return count.isPresent() ? Long.toString(count.getAsLong()) : "";
  }
}
