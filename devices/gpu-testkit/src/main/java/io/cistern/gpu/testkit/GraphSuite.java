package io.cistern.gpu.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cistern.DeviceMemoryException;
import io.cistern.MemorySize;
import io.cistern.gpu.GpuGraph;
import io.cistern.gpu.GpuStorage;
import io.cistern.gpu.GpuStream;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.StorageProvider;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Graphs: a pass over pooled slices is recorded, and replayed on the same slices. */
public abstract class GraphSuite extends GpuSuite {

  private static final int LENGTH = 1000;

  /**
   * For subclasses.
   *
   * @param kind whose driver
   * @param provider whose devices
   */
  protected GraphSuite(FakeDriver.Kind kind, StorageProvider provider) {
    super(kind, provider);
  }

  private static byte[] bytes(Allocation slice) {
    byte[] bytes = new byte[LENGTH];
    slice.read(0, MemorySegment.ofArray(bytes));
    return bytes;
  }

  private static void write(Allocation slice, int value) {
    byte[] bytes = new byte[LENGTH];
    Arrays.fill(bytes, (byte) value);
    slice.write(0, MemorySegment.ofArray(bytes));
  }

  /** A pass with slices of its own gives on each launch what it gave when it was recorded. */
  @Test
  public void aPassIsReplayedOnItsSlices() {
    try (GpuStorage storage = open();
        MemoryManager manager = manager(storage);
        GpuStream stream = GpuStream.open(storage);
        Allocation input = manager.allocate(LENGTH);
        Allocation output = manager.allocate(LENGTH)) {
      List<Long> used = new ArrayList<>();
      Runnable pass =
          () -> {
            try (Allocation between = manager.allocate(LENGTH);
                Allocation more = manager.allocate(LENGTH)) {
              used.add(between.address());
              used.add(more.address());
              stream.copy(input, 0, between, 0, LENGTH);
              stream.fill(more, 0, LENGTH, (byte) 7);
              stream.copy(more, 0, between, 0, 10);
              stream.copy(between, 0, output, 0, LENGTH);
            }
          };
      write(input, 1);
      try (GpuGraph graph = GpuGraph.capture(stream, manager, pass)) {
        assertThat(graph.pin().sizes()).containsOnly(MemorySize.of(LENGTH));
        List<Long> pinned = used.subList(2, 4);
        for (int value = 2; value < 5; value++) {
          write(input, value);
          // What others ask for meanwhile is not where the graph works.
          try (Allocation other = manager.allocate(LENGTH)) {
            assertThat(pinned).doesNotContain(other.address());
            write(other, 99);
            graph.launch();
            stream.await();
            assertThat(bytes(other)).containsOnly(99);
          }
          assertThat(bytes(output)).startsWith(7, 7).endsWith(value, value);
        }
      }
      assertThat(fake().count("graph") + fake().count("exec")).isZero();
      assertThat(manager.usage().allocations()).isEqualTo(2);
    }
  }

  /** Recording and replaying make exactly these calls. */
  @Test
  public void recordingIsExactlyThis() {
    try (GpuStorage storage = open();
        MemoryManager manager = manager(storage);
        GpuStream stream = GpuStream.open(storage);
        Allocation slice = manager.allocate(LENGTH)) {
      fake().calls();
      GpuGraph graph =
          GpuGraph.capture(stream, manager, () -> stream.fill(slice, 0, LENGTH, (byte) 1));
      graph.launch();
      graph.close();
      graph.close();
      assertThat(fake().work())
          .containsExactly(
              "cuMemsetD8Async(block#1+0, 1, 1000, stream#2)",
              "cuStreamBeginCapture_v2(stream#2, 2)",
              "cuMemsetD8Async(block#1+0, 1, 1000, stream#2)",
              "cuStreamEndCapture(stream#2)",
              "cuGraphInstantiateWithFlags(graph#1, 0)",
              "cuGraphLaunch(exec#1, stream#2)",
              "cuStreamSynchronize(stream#2)",
              "cuGraphExecDestroy(exec#1)",
              "cuGraphDestroy(graph#1)",
              "cuStreamSynchronize(stream#2)");
      assertThatIllegalStateException().isThrownBy(graph::launch);
    }
  }

  /** Closing waits for the last launch before the slices are free. */
  @Test
  public void aCloseWaitsForTheLastLaunch() throws Exception {
    try (GpuStorage storage = open();
        MemoryManager manager = manager(storage);
        GpuStream stream = GpuStream.open(storage)) {
      GpuGraph graph =
          GpuGraph.capture(
              stream,
              manager,
              () -> {
                try (Allocation own = manager.allocate(LENGTH)) {
                  stream.fill(own, 0, LENGTH, (byte) 1);
                }
              });
      fake().set("hold", 1);
      graph.launch();
      Thread closing = new Thread(graph::close);
      closing.start();
      closing.join(50);
      assertThat(closing.isAlive()).isTrue();
      assertThat(fake().count("exec")).isEqualTo(1);
      fake().set("hold", 0);
      closing.join();
      assertThat(fake().count("exec")).isZero();
    }
  }

  /** While a stream records, nothing that would end the recording is let through. */
  @Test
  public void whatWouldSpoilARecordingIsRefused() {
    try (GpuStorage storage = open();
        MemoryManager manager = manager(storage);
        GpuStream stream = GpuStream.open(storage)) {
      boolean[] recording = {false};
      GpuGraph.capture(
              stream,
              manager,
              () -> {
                if (recording[0]) {
                  assertThatIllegalStateException()
                      .isThrownBy(stream::await)
                      .withMessage("work is waited for while a stream records a graph");
                  assertThatIllegalStateException().isThrownBy(stream::fence);
                  assertThatIllegalStateException().isThrownBy(stream::close);
                }
                recording[0] = true;
              })
          .close();
    }
  }

  /** A pass that fails, or spoils the recording, leaves nothing behind, and others can follow. */
  @Test
  public void aFailedPassLeavesNothingBehind() {
    try (GpuStorage storage = open();
        MemoryManager manager = manager(storage);
        GpuStream stream = GpuStream.open(storage)) {
      int[] run = {0};
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(
              () ->
                  GpuGraph.capture(
                      stream,
                      manager,
                      () -> {
                        if (run[0]++ == 1) {
                          throw new UnsupportedOperationException("no more");
                        }
                      }))
          .withMessage("no more");
      assertThat(fake().count("graph")).isZero();
      fake().fail("cuGraphInstantiateWithFlags", 1, 1);
      assertThatExceptionOfType(DeviceMemoryException.class)
          .isThrownBy(() -> GpuGraph.capture(stream, manager, () -> {}));
      assertThat(fake().count("graph")).isZero();
      GpuGraph.capture(stream, manager, () -> {}).close();
    }
  }

  /** A graph that the driver does not end keeps its slices until it is closed again. */
  @Test
  public void aGraphThatIsNotEndedKeepsItsSlices() {
    try (GpuStorage storage = open();
        MemoryManager manager = manager(storage);
        GpuStream stream = GpuStream.open(storage)) {
      GpuGraph graph = GpuGraph.capture(stream, manager, () -> manager.allocate(LENGTH).close());
      long pinned = manager.usage().reserved().bytes();
      fake().fail("cuGraphExecDestroy", 1, 1);
      assertThatExceptionOfType(DeviceMemoryException.class).isThrownBy(graph::close);
      manager.trim();
      assertThat(manager.usage().reserved().bytes()).isEqualTo(pinned).isPositive();
      graph.close();
      manager.trim();
      assertThat(fake().count("exec")).isZero();
    }
  }

  /** A storage that is closed ends its graphs; theirs may be closed after it. */
  @Test
  public void aStorageEndsItsGraphs() {
    GpuStorage storage = open();
    MemoryManager manager = manager(storage);
    GpuStream stream = GpuStream.open(storage);
    GpuGraph graph = GpuGraph.capture(stream, manager, () -> manager.allocate(LENGTH).close());
    manager.close();
    storage.close();
    assertThat(fake().live()).isEmpty();
    assertThatIllegalStateException().isThrownBy(graph::launch);
    graph.close();
  }
}
