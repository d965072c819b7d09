package io.cistern.gpu;

import io.cistern.DeviceMemoryException;
import io.cistern.gpu.driver.GpuCall;
import io.cistern.manager.Allocation;
import io.cistern.manager.Capture;
import io.cistern.manager.CapturePin;
import io.cistern.manager.MemoryManager;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Work of a stream that was recorded once and is run again at little cost, on the same slices: they
 * stay out of reach of other requests until this is closed, whoever has closed their handles.
 *
 * <p>Safe for many threads. Closed with its storage, if not before; its slices are then free with
 * their manager.
 */
public final class GpuGraph implements AutoCloseable {

  /**
   * Other calls are allowed while a stream records, from this thread too: pools may have to ask the
   * driver for a page.
   */
  private static final long RELAXED = 2;

  private static final long NO_FLAGS = 0;

  private static final GpuCall[] NEEDED = {
    GpuCall.CAPTURE_BEGIN,
    GpuCall.CAPTURE_END,
    GpuCall.GRAPH_INSTANTIATE,
    GpuCall.GRAPH_LAUNCH,
    GpuCall.GRAPH_EXEC_DESTROY,
    GpuCall.GRAPH_DESTROY
  };

  private final GpuStream stream;
  private final GpuHandle graph;
  private final GpuHandle runnable;
  private final CapturePin pin;

  private GpuGraph(GpuStream stream, GpuHandle graph, GpuHandle runnable, CapturePin pin) {
    this.stream = stream;
    this.graph = graph;
    this.runnable = runnable;
    this.pin = pin;
  }

  /**
   * Records a pass.
   *
   * <p>The pass is run twice: first for real, so that the pools grow to all that it needs, and then
   * to be recorded. Both times it must ask for the same sizes in the same order, and use no other
   * stream than this; what it queues with calls of its own is recorded too. It may close what it
   * allocates, and must not wait for the stream.
   *
   * @param stream where the pass queues its work, and the graph is launched
   * @param manager whose pools the pass takes its slices from
   * @param pass the work
   * @throws UnsupportedOperationException if the driver can't record; names the function it lacks
   * @throws IllegalStateException if the stream or the manager is closed, or another capture is
   *     under way
   * @throws DeviceMemoryException if the device fails
   */
  public static GpuGraph capture(GpuStream stream, MemoryManager manager, Runnable pass) {
    checkCan(stream.context().device());
    stream.checkNotRecording("a capture is asked for");
    // Closing an ended capture does nothing, and one under way pins nothing.
    try (Capture capture = manager.beginCapture()) {
      pass.run();
      capture.endPriming();
      GpuHandle graph = record(stream, pass);
      try {
        return new GpuGraph(stream, graph, runnable(stream, graph), capture.end());
      } catch (DeviceMemoryException e) {
        endAlso(graph, e);
        throw e;
      }
    }
  }

  private static void checkCan(GpuDevice device) {
    for (GpuCall call : NEEDED) {
      if (!device.driver().has(call)) {
        throw GpuErrors.noGraphs(device, call);
      }
    }
  }

  private static GpuHandle record(GpuStream stream, Runnable pass) {
    stream.use(handle -> stream.context().run(GpuCall.CAPTURE_BEGIN, 0, handle, RELAXED));
    stream.recording(true);
    try {
      pass.run();
    } catch (Throwable e) {
      dropRecorded(stream, e);
      throw e;
    } finally {
      stream.recording(false);
    }
    return endRecording(stream);
  }

  /** A stream that records is of no use for anything else, so this is tried twice. */
  private static GpuHandle endRecording(GpuStream stream) {
    try {
      return recorded(stream);
    } catch (DeviceMemoryException e) {
      dropRecorded(stream, e);
      throw e;
    }
  }

  private static void dropRecorded(GpuStream stream, Throwable first) {
    try {
      endAlso(recorded(stream), first);
    } catch (RuntimeException e) {
      first.addSuppressed(e);
    }
  }

  private static GpuHandle recorded(GpuStream stream) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
      stream.use(handle -> stream.context().run(GpuCall.CAPTURE_END, 0, handle, out.address()));
      return stream.context().own(out.get(ValueLayout.JAVA_LONG, 0), GpuCall.GRAPH_DESTROY);
    }
  }

  private static GpuHandle runnable(GpuStream stream, GpuHandle graph) {
    return graph.with(
        "a graph",
        handle ->
            stream
                .context()
                .make(GpuCall.GRAPH_INSTANTIATE, GpuCall.GRAPH_EXEC_DESTROY, handle, NO_FLAGS));
  }

  /** What can't be ended now is ended with the storage. */
  private static void endAlso(GpuHandle graph, Throwable first) {
    try {
      graph.end();
    } catch (DeviceMemoryException e) {
      first.addSuppressed(e);
    }
  }

  /**
   * Queues the recorded work. Launches of one graph run one after the other.
   *
   * @throws IllegalStateException if this or its stream is closed, or the stream records
   * @throws DeviceMemoryException if the device fails
   */
  public void launch() {
    stream.checkNotRecording("a launch is asked for");
    stream.use(handle -> runnable.run(toString(), GpuCall.GRAPH_LAUNCH, handle));
  }

  /** The slices that this keeps, which {@link Allocation#close} does not free. */
  public CapturePin pin() {
    return pin;
  }

  /**
   * Waits for the stream's work, then ends the graph, then lets go of its slices. A second close
   * does nothing.
   *
   * @throws DeviceMemoryException if the driver refuses; the slices are kept, and this may be
   *     closed again
   */
  @Override
  public void close() {
    stream.checkNotRecording("a close is asked for");
    stream.settle();
    runnable.end();
    graph.end();
    pin.close();
  }

  @Override
  public String toString() {
    return "a graph of " + stream;
  }
}
