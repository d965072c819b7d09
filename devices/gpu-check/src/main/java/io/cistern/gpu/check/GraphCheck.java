package io.cistern.gpu.check;

import io.cistern.config.MemoryPoolsConfig;
import io.cistern.gpu.GpuGraph;
import io.cistern.gpu.GpuStream;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.Fence;
import io.cistern.storage.Storage;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;

/** Records a pass over pooled slices and replays it with other input. */
final class GraphCheck {

  private static final int LENGTH = 1 << 20;
  private static final int LAUNCHES = 100;

  private GraphCheck() {}

  /**
   * Runs it.
   *
   * @throws AssertionError if something is wrong; says what
   */
  static void run(Subject subject) throws InterruptedException {
    try (Storage storage = subject.open("device");
        MemoryManager manager = MemoryManager.open(storage, MemoryPoolsConfig.Preset.SUB_SLICES);
        GpuStream stream = GpuStream.open(storage);
        Allocation input = manager.allocate(LENGTH);
        Allocation output = manager.allocate(LENGTH)) {
      try (GpuGraph graph =
          GpuGraph.capture(
              stream,
              manager,
              () -> {
                try (Allocation first = manager.allocate(LENGTH);
                    Allocation second = manager.allocate(LENGTH)) {
                  stream.copy(input, 0, first, 0, LENGTH);
                  stream.fill(second, 0, LENGTH, (byte) 7);
                  stream.copy(second, 0, first, 0, LENGTH / 2);
                  stream.copy(first, 0, output, 0, LENGTH);
                }
              })) {
        for (int launch = 0; launch < LAUNCHES; launch++) {
          launch(graph, stream, manager, input, output, (byte) launch);
        }
      }
    }
  }

  private static void launch(
      GpuGraph graph,
      GpuStream stream,
      MemoryManager manager,
      Allocation input,
      Allocation output,
      byte value)
      throws InterruptedException {
    byte[] bytes = new byte[LENGTH];
    Arrays.fill(bytes, value);
    input.write(0, MemorySegment.ofArray(bytes));
    // Somebody else's slice, which the graph must leave alone.
    try (Allocation other = manager.allocate(LENGTH)) {
      other.write(0, MemorySegment.ofArray(bytes));
      graph.launch();
      Fence fence = stream.fence();
      check(fence.await(Duration.ofSeconds(10)), "the fence has not passed after 10 s");
      byte[] found = new byte[LENGTH];
      other.read(0, MemorySegment.ofArray(found));
      check(Arrays.equals(found, bytes), "a slice of others was written");
      output.read(0, MemorySegment.ofArray(found));
      Arrays.fill(bytes, 0, LENGTH / 2, (byte) 7);
      check(Arrays.equals(found, bytes), "the output is not what was recorded");
    }
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
