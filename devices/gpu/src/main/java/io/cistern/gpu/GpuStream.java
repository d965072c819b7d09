package io.cistern.gpu;

import io.cistern.DeviceMemoryException;
import io.cistern.gpu.driver.GpuCall;
import io.cistern.manager.Allocation;
import io.cistern.storage.Fence;
import io.cistern.storage.Storage;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * An order of a device's work: what is queued here runs one after the other, and beside other
 * streams. It waits neither for the device's default stream nor holds it up.
 *
 * <p>Copies and fills return when they are queued. Until they are done neither their slices nor
 * their segments may be closed; {@link #fence} and {@link Allocation#usedUntil} see to slices.
 *
 * <p>Safe for many threads, whose work is queued in some order. Closed with its storage, if not
 * before.
 */
public final class GpuStream implements AutoCloseable {

  private static final long WITHOUT_TIMES = 0x2;

  private final GpuStorage storage;
  private final GpuContext context;
  private final GpuHandle handle;

  // Every event of this stream is with a fence that waits, or spare, or on the way to be spare.
  private final Queue<GpuFence> waiting = new ConcurrentLinkedQueue<>();
  private final Queue<GpuHandle> spare = new ConcurrentLinkedQueue<>();
  private final Queue<GpuHandle> events = new ConcurrentLinkedQueue<>();

  private volatile boolean recording;

  private GpuStream(GpuStorage storage, GpuHandle handle) {
    this.storage = storage;
    this.context = storage.context();
    this.handle = handle;
  }

  /**
   * Opens a stream.
   *
   * @param storage of CUDA or HIP, or adaptors around one
   * @throws IllegalArgumentException if it is the storage of another device
   * @throws DeviceMemoryException if the driver refuses
   */
  public static GpuStream open(Storage storage) {
    GpuStorage gpu = GpuStorage.of(storage);
    GpuHandle handle =
        gpu.context().make(GpuCall.STREAM_CREATE, GpuCall.STREAM_DESTROY, GpuStorage.NON_BLOCKING);
    return new GpuStream(gpu, handle);
  }

  /**
   * The driver's handle, a {@code CUstream} or {@code hipStream_t}, for calls of your own such as a
   * kernel's launch. They need the device's primary context to be current.
   *
   * @throws IllegalStateException if this is closed
   */
  public long handle() {
    return handle.with(toString(), value -> value);
  }

  /**
   * Queues a copy from the host.
   *
   * @param source native memory; pinned memory is fastest
   * @param target a slice of this stream's storage
   * @param toOffset where in the slice the bytes go, in bytes
   * @throws IndexOutOfBoundsException if the bytes do not lie in the slice
   * @throws IllegalArgumentException if the source is an array, or the slice of another storage
   * @throws IllegalStateException if this, the slice or the segment is closed
   * @throws DeviceMemoryException if the device fails
   */
  public void copyToDevice(MemorySegment source, Allocation target, long toOffset) {
    copyToDevice(source, address(target, toOffset, source.byteSize()));
  }

  /**
   * Queues a copy from the host to an address of the device.
   *
   * @throws IllegalArgumentException if the source is an array
   * @throws IllegalStateException if this or the segment is closed
   * @throws DeviceMemoryException if the device fails
   */
  public void copyToDevice(MemorySegment source, long target) {
    check(source);
    queue(GpuCall.COPY_TO_DEVICE, target, source.address(), source.byteSize());
  }

  /**
   * Queues a copy to the host.
   *
   * @param source a slice of this stream's storage
   * @param fromOffset where in the slice the bytes begin, in bytes
   * @param target native memory; pinned memory is fastest
   * @throws IndexOutOfBoundsException if the bytes do not lie in the slice
   * @throws IllegalArgumentException if the target is an array, or the slice of another storage
   * @throws IllegalStateException if this, the slice or the segment is closed
   * @throws DeviceMemoryException if the device fails
   */
  public void copyToHost(Allocation source, long fromOffset, MemorySegment target) {
    copyToHost(address(source, fromOffset, target.byteSize()), target);
  }

  /**
   * Queues a copy from an address of the device to the host.
   *
   * @throws IllegalArgumentException if the target is an array
   * @throws IllegalStateException if this or the segment is closed
   * @throws DeviceMemoryException if the device fails
   */
  public void copyToHost(long source, MemorySegment target) {
    check(target);
    queue(GpuCall.COPY_TO_HOST, target.address(), source, target.byteSize());
  }

  /**
   * Queues a copy from one slice of this stream's storage to another.
   *
   * @throws IndexOutOfBoundsException if the bytes do not lie in the slices
   * @throws IllegalArgumentException if a slice is of another storage
   * @throws IllegalStateException if this or a slice is closed
   * @throws DeviceMemoryException if the device fails
   */
  public void copy(
      Allocation source, long fromOffset, Allocation target, long toOffset, long byteSize) {
    copy(address(source, fromOffset, byteSize), address(target, toOffset, byteSize), byteSize);
  }

  /**
   * Queues a copy from one address of the device to another.
   *
   * @throws IllegalStateException if this is closed
   * @throws DeviceMemoryException if the device fails
   */
  public void copy(long source, long target, long byteSize) {
    queue(GpuCall.COPY, target, source, byteSize);
  }

  /**
   * Queues a fill of bytes of a slice.
   *
   * @throws IndexOutOfBoundsException if the bytes do not lie in the slice
   * @throws IllegalArgumentException if the slice is of another storage
   * @throws IllegalStateException if this or the slice is closed
   * @throws DeviceMemoryException if the device fails
   */
  public void fill(Allocation target, long fromOffset, long byteSize, byte value) {
    fill(address(target, fromOffset, byteSize), byteSize, value);
  }

  /**
   * Queues a fill of bytes at an address of the device.
   *
   * @throws IllegalStateException if this is closed
   * @throws DeviceMemoryException if the device fails
   */
  public void fill(long target, long byteSize, byte value) {
    if (byteSize != 0) {
      use(stream -> context.run(GpuCall.FILL, byteSize, target, value, byteSize, stream));
    }
  }

  private void queue(GpuCall copy, long to, long from, long byteSize) {
    if (byteSize != 0) {
      use(stream -> context.run(copy, byteSize, to, from, byteSize, stream));
    }
  }

  /** Something done with the handle, which is not ended meanwhile. */
  interface Use {
    void with(long stream);
  }

  void use(Use action) {
    handle.with(
        toString(),
        stream -> {
          action.with(stream);
          return stream;
        });
  }

  private long address(Allocation slice, long offset, long byteSize) {
    Objects.checkFromIndexSize(offset, byteSize, slice.byteSize());
    if (byteSize == 0) {
      return 0;
    }
    GpuBlock block = slice.block(GpuBlock.class);
    if (block.storage() != storage) {
      throw GpuErrors.otherStorage(block, toString());
    }
    return slice.address() + offset;
  }

  private static void check(MemorySegment segment) {
    if (!segment.isNative()) {
      throw GpuErrors.onHeap(segment);
    }
    if (!segment.scope().isAlive()) {
      throw GpuErrors.ended(segment);
    }
  }

  /**
   * A fence behind all that was queued up to now. On a lost device it has passed, as nothing will
   * run there any more. O(1) amortised: events of fences that have passed are used again.
   *
   * @throws IllegalStateException if this is closed, or records a graph
   * @throws DeviceMemoryException if the device fails
   */
  public Fence fence() {
    checkNotRecording("a fence is asked for");
    return handle.with(
        toString(),
        stream -> {
          GpuHandle event = spareEvent();
          try {
            event.run("an event", GpuCall.EVENT_RECORD, stream);
          } catch (DeviceMemoryException e) {
            spare.add(event);
            throw e;
          }
          GpuFence fence = new GpuFence(event, spare::add);
          waiting.add(fence);
          return fence;
        });
  }

  private GpuHandle spareEvent() {
    // Those in front pass first.
    for (GpuFence first = waiting.peek();
        first != null && first.hasPassed();
        first = waiting.peek()) {
      waiting.remove(first);
    }
    GpuHandle event = spare.poll();
    if (event == null) {
      event = context.make(GpuCall.EVENT_CREATE, GpuCall.EVENT_DESTROY, WITHOUT_TIMES);
      events.add(event);
    }
    return event;
  }

  /**
   * Waits until all that was queued is done.
   *
   * @throws IllegalStateException if this is closed, or records a graph
   * @throws DeviceMemoryException if the device fails, or failed in work that was queued
   */
  public void await() {
    checkNotRecording("work is waited for");
    use(stream -> context.run(GpuCall.STREAM_SYNCHRONIZE, 0, stream));
  }

  void checkNotRecording(String asked) {
    if (recording) {
      throw GpuErrors.recording(asked);
    }
  }

  void recording(boolean now) {
    recording = now;
  }

  /** Waits for the work, unless this is closed or the device lost: there is none then. */
  void settle() {
    handle.settle();
  }

  GpuContext context() {
    return context;
  }

  /**
   * Waits for the work and ends this stream and its fences. A second close does nothing.
   *
   * @throws IllegalStateException if this records a graph
   * @throws DeviceMemoryException if the driver refuses; this is still open, and may be closed
   *     again
   */
  @Override
  public void close() {
    checkNotRecording("a close is asked for");
    settle();
    events.forEach(GpuHandle::end);
    handle.end();
  }

  @Override
  public String toString() {
    return "a stream of device \"" + storage.properties().name() + "\"";
  }
}
