package io.cistern.gpu.check;

import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.CountingStorage;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageAdaptor;
import io.cistern.trace.replay.Replay;
import io.cistern.trace.report.ReplayReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Replays a trace on the device, each slice written and verified. */
final class ReplayCheck {

  private ReplayCheck() {}

  /**
   * What a replay found.
   *
   * @param trace the trace's file
   * @param requests its allocations and frees, which are the driver's calls without pools
   * @param driverCalls the driver's calls with pools
   * @param mismatches slices that were overwritten
   * @param refused requests that were not served
   * @param leaked blocks that were not given back
   * @param nanos the time, touching included
   */
  record Result(
      String trace,
      long requests,
      long driverCalls,
      long mismatches,
      long refused,
      long leaked,
      long nanos) {

    boolean isGood() {
      return mismatches == 0 && refused == 0 && leaked == 0;
    }
  }

  /** Replays a trace. */
  static Result run(Subject subject, Path trace) throws IOException {
    List<LeakStorage> storages = new ArrayList<>();
    ReplayReport report =
        Replay.of(trace)
            .devices(
                () -> {
                  storages.add(new LeakStorage(subject.open("device")));
                  return storages.getLast();
                })
            .pools(MemoryPoolsConfig.Preset.SUB_SLICES)
            .touch(true)
            .build()
            .run();
    ReplayReport.Figures figures = report.figures();
    return new Result(
        String.valueOf(trace.getFileName()),
        figures.operations(),
        figures.deviceAllocations() + figures.deviceFrees(),
        figures.mismatches(),
        figures.refused(),
        storages.stream().mapToLong(LeakStorage::leaked).sum(),
        report.timing().nanos());
  }

  /** Counts what is out when a storage is closed. */
  private static final class LeakStorage extends StorageAdaptor {
    private final CountingStorage counting;
    private long leaked;

    LeakStorage(Storage storage) {
      this(new CountingStorage(storage));
    }

    private LeakStorage(CountingStorage counting) {
      super(counting);
      this.counting = counting;
    }

    @Override
    public void close() {
      leaked += counting.allocations() - counting.frees();
      super.close();
    }

    long leaked() {
      return leaked;
    }
  }
}
