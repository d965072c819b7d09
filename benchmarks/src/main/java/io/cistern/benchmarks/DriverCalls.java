package io.cistern.benchmarks;

import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.CountingStorage;
import io.cistern.storage.StorageBlock;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceReader;
import io.cistern.trace.file.Traces;
import io.cistern.trace.replay.Replay;
import io.cistern.trace.report.ReplayReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Counts the calls that traces make to a driver, with pools and without, and prints a table.
 *
 * <p>Both are run on the device: without pools each allocation above 0 bytes and each free is a
 * call. Memory is not touched. Blocks that are out when a trace ends go back, and count, in both.
 */
public final class DriverCalls {

  private DriverCalls() {}

  /**
   * Counts.
   *
   * @param arguments the kind of device, then trace files
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length < 2) {
      throw new IllegalArgumentException("asked for a kind of device and trace files");
    }
    String device = arguments[0];
    Optional<String> whyNone = Devices.whyNone(device);
    if (whyNone.isPresent()) {
      System.out.println("skipped, no device " + device + ": " + whyNone.get());
      return;
    }
    System.out.println(
        "| trace | device | calls without pools | ms | pools | calls | ms | ratio |");
    System.out.println("|---|---|---|---|---|---|---|---|");
    for (String file : Arrays.asList(arguments).subList(1, arguments.length)) {
      count(device, Path.of(file));
    }
  }

  private static void count(String device, Path trace) throws IOException {
    // Once for the JVM to be warm.
    withoutPools(device, trace);
    Cost without = withoutPools(device, trace);
    for (MemoryPoolsConfig.Preset pools : MemoryPoolsConfig.Preset.values()) {
      Cost with = withPools(device, trace, pools);
      System.out.printf(
          Locale.ROOT,
          "| %s | %s | %d | %.1f | %s | %d | %.1f | %.0f |%n",
          trace.getFileName(),
          device,
          without.calls,
          without.nanos / 1e6,
          pools.text(),
          with.calls,
          with.nanos / 1e6,
          (double) without.calls / with.calls);
    }
  }

  /**
   * What a trace cost.
   *
   * @param calls the driver's allocations and frees
   * @param nanos the time of allocations and frees, the reading of the trace left out
   */
  private record Cost(long calls, long nanos) {}

  private static Cost withPools(String device, Path trace, MemoryPoolsConfig pools)
      throws IOException {
    // Each pass has a storage of its own; all make the same calls.
    CountingStorage[] last = new CountingStorage[1];
    ReplayReport report =
        Replay.of(trace)
            .devices(() -> last[0] = new CountingStorage(Devices.open(device)))
            .pools(pools)
            .repeat(2, Duration.ZERO)
            .build()
            .run();
    if (!report.figures().isGood()) {
      throw new IllegalStateException("refused by the pools: " + report.figures().firstRefusal());
    }
    return new Cost(last[0].allocations() + last[0].frees(), report.timing().nanos());
  }

  private static Cost withoutPools(String device, Path trace) throws IOException {
    Map<Long, StorageBlock> blocks = new HashMap<>();
    long nanos = 0;
    CountingStorage storage = new CountingStorage(Devices.open(device));
    try (storage;
        TraceReader rows = Traces.open(trace, TraceFaults.strict(trace.toString()))) {
      while (rows.next()) {
        long start = System.nanoTime();
        call(rows, storage, blocks);
        nanos += System.nanoTime() - start;
      }
    }
    return new Cost(storage.allocations() + storage.frees(), nanos);
  }

  private static void call(
      TraceReader row, CountingStorage storage, Map<Long, StorageBlock> blocks) {
    if (row.isAllocation()) {
      if (row.byteSize() > 0) {
        blocks.put(row.id(), storage.allocate(row.byteSize()));
      }
    } else {
      Optional.ofNullable(blocks.remove(row.id())).ifPresent(storage::free);
    }
  }
}
