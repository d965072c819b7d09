package io.cistern.conformance.traces;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageOptions;
import io.cistern.trace.replay.Replay;
import io.cistern.trace.report.ReplayReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Peaks and driver calls of the presets against the reference's, on real traces at alignment 256
 * and a largest page of 20 GiB. Four traces are the project's own; the others run where {@code
 * cistern.traces} names their folder.
 */
class ReferencePeaksTest {

  /** The reference's peaks in bytes, and its driver calls where they are known (0: not). */
  private record Reference(String trace, long subSlices, long exclusivePages, long calls) {}

  private static final List<Reference> REFERENCE =
      List.of(
          new Reference("cpu-pt-bert-infer-varlen", 1_782_579_200L, 288_211_456L, 269 + 128),
          new Reference("cpu-pt-gpt-train", 943_718_400L, 705_970_688L, 1609 + 1131),
          new Reference("cpu-pt-mix-two-models", 587_202_560L, 368_294_400L, 887 + 405),
          new Reference("cpu-pt-resnet50-train-b8", 1_300_234_240L, 1_209_816_832L, 1091 + 325),
          new Reference("gpu-pt-gpt-compiled-train", 4_907_335_680L, 3_953_012_480L, 0),
          new Reference("gpu-pt-gpt-medium-ctx512-train", 13_736_345_600L, 12_737_002_496L, 0),
          new Reference("gpu-kineto-v100-2gpu-train", 3_858_759_680L, 3_052_089_344L, 0),
          new Reference("gpu-kineto-h100-qwen1.5-infer", 2_956_984_320L, 1_279_959_040L, 0),
          new Reference("gpu-kineto-h100-timesformer-infer", 7_486_832_640L, 4_706_256_384L, 0));

  private static ReplayReport.Figures replay(Path trace, MemoryPoolsConfig pools)
      throws IOException {
    StorageOptions device =
        StorageOptions.DEFAULT.withByteAlignment(256).withMaxPageSize(MemorySize.ofGiB(20));
    return Replay.of(trace)
        .devices(() -> SimulatedStorage.open(device))
        .pools(pools)
        .build()
        .run()
        .figures();
  }

  @Test
  void subSlicesPeakNoHigherThanTheReference() throws IOException {
    List<Double> ratios = new ArrayList<>();
    for (Reference reference : REFERENCE) {
      Optional<Path> trace = TraceFolders.find(reference.trace);
      if (trace.isPresent()) {
        long peak = replay(trace.get(), MemoryPoolsConfig.subSlices()).peakReserved();
        ratios.add((double) peak / reference.subSlices);
      }
    }
    assertThat(ratios).hasSizeGreaterThanOrEqualTo(4).allMatch(ratio -> ratio <= 1.05);
    assertThat(geometricMean(ratios)).isLessThanOrEqualTo(1.00);
  }

  @Test
  void exclusivePagesPeakLittleHigherAtFarFewerDriverCalls() throws IOException {
    List<Double> ratios = new ArrayList<>();
    long calls = 0;
    long referenceCalls = 0;
    for (Reference reference : REFERENCE) {
      Optional<Path> trace = TraceFolders.find(reference.trace);
      if (trace.isPresent()) {
        ReplayReport.Figures figures = replay(trace.get(), MemoryPoolsConfig.exclusivePages());
        ratios.add((double) figures.peakReserved() / reference.exclusivePages);
        if (reference.calls > 0) {
          calls += figures.deviceAllocations() + figures.deviceFrees();
          referenceCalls += reference.calls;
        }
      }
    }
    assertThat(ratios).hasSizeGreaterThanOrEqualTo(4).allMatch(ratio -> ratio <= 1.20);
    assertThat(geometricMean(ratios)).isLessThanOrEqualTo(1.05);
    assertThat((double) calls / referenceCalls).isLessThanOrEqualTo(0.6);
  }

  private static double geometricMean(List<Double> ratios) {
    return Math.exp(ratios.stream().mapToDouble(Math::log).average().orElseThrow());
  }
}
