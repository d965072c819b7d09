package io.cistern.conformance.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.CountingStorage;
import io.cistern.storage.DeviceList;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.DriverStorage;
import io.cistern.storage.Feature;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageOptions;
import io.cistern.storage.StorageProvider;
import io.cistern.trace.replay.Replay;
import io.cistern.trace.report.ReplayReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Real traces on every real device: no slice is overwritten, nothing leaks, and slices stand where
 * they stand on a simulated device with the same alignment and limits.
 *
 * <p>Two small traces as a rule; {@code -Dcistern.device.traces=all} takes all that the project
 * has. A kind of device without a driver is skipped, with the reason.
 */
class DeviceReplayTest {

  private static final Path TRACES = Path.of("..", "traces");

  private static final List<String> FEW =
      List.of("cpu-pt-dcgan-train.csv.gz", "malloc-cc1-O1.csv.gz");

  private static final List<MemoryPoolsConfig> LAYOUTS =
      List.of(MemoryPoolsConfig.subSlices(), MemoryPoolsConfig.exclusivePages());

  @TestFactory
  List<DynamicTest> replays() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (StorageProvider kind : ServiceLoader.load(StorageProvider.class)) {
      if (!kind.name().equals("simulated")) {
        addTests(kind, tests);
      }
    }
    assertThat(tests).as("the host at least is always there").isNotEmpty();
    return tests;
  }

  private static void addTests(StorageProvider kind, List<DynamicTest> tests) throws IOException {
    DeviceList found = kind.devices();
    if (found.devices().isEmpty()) {
      tests.add(
          DynamicTest.dynamicTest(
              kind.name(), () -> assumeFalse(true, "no " + kind.name() + ": " + found.whyNone())));
      return;
    }
    for (Path trace : traces()) {
      for (MemoryPoolsConfig pools : LAYOUTS) {
        String name = kind.name() + ", " + trace.getFileName() + ", " + pools;
        tests.add(DynamicTest.dynamicTest(name, () -> replay(kind, trace, pools)));
      }
    }
  }

  private static List<Path> traces() throws IOException {
    if (!System.getProperty("cistern.device.traces", "few").equals("all")) {
      return FEW.stream().map(TRACES::resolve).toList();
    }
    try (Stream<Path> files = Files.list(TRACES)) {
      return files.filter(file -> file.toString().endsWith(".csv.gz")).sorted().toList();
    }
  }

  private static void replay(StorageProvider kind, Path trace, MemoryPoolsConfig pools)
      throws IOException {
    standsWhereSimulated(kind, trace, pools);
    isNotOverwritten(kind, trace, pools);
  }

  private static void isNotOverwritten(StorageProvider kind, Path trace, MemoryPoolsConfig pools)
      throws IOException {
    List<Storage> opened = new ArrayList<>();
    ReplayReport report =
        Replay.of(trace)
            .devices(
                () -> {
                  Storage storage = kind.open(StorageOptions.DEFAULT);
                  opened.add(storage);
                  return storage;
                })
            .pools(pools)
            .touch(true)
            .build()
            .run();
    assertThat(report.figures().mismatches()).isZero();
    assertThat(report.figures().isGood()).isTrue();
    assertThat(opened).isNotEmpty().allSatisfy(DeviceReplayTest::assertNothingOut);
  }

  private static void standsWhereSimulated(
      StorageProvider kind, Path trace, MemoryPoolsConfig pools) throws IOException {
    try (Storage device = kind.open(StorageOptions.DEFAULT);
        CountingStorage real = new CountingStorage(device);
        CountingStorage simulated = new CountingStorage(likeThis(device.properties()))) {
      Places expected = Places.of(trace, simulated, pools);
      Places found = Places.of(trace, real, pools);
      assertThat(found.firstDifference(expected)).isEmpty();
      assertThat(real.allocations()).isEqualTo(simulated.allocations());
      assertThat(real.frees()).isEqualTo(real.allocations());
      assertNothingOut(device);
    }
  }

  private static void assertNothingOut(Storage storage) {
    assertThat(storage).isInstanceOf(DriverStorage.class);
    assertThat(((DriverStorage<?>) storage).blocksOut()).as("blocks out").isZero();
  }

  /** The device's alignments and limits, and no memory. */
  private static SimulatedStorage likeThis(DeviceProperties device) {
    return new SimulatedStorage(
        new DeviceProperties(
            "simulated",
            device.total(),
            device.maxPageSize(),
            device.byteAlignment(),
            device.blockAlignment(),
            Set.of(Feature.ADDRESS)));
  }
}
