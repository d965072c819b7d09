package io.cistern.opencl;

import static org.lwjgl.opencl.CL10.CL_SUCCESS;
import static org.lwjgl.opencl.CL10.clFinish;
import static org.lwjgl.opencl.CL10.clReleaseCommandQueue;
import static org.lwjgl.opencl.CL10.clReleaseEvent;
import static org.lwjgl.opencl.CL10.clRetainCommandQueue;
import static org.lwjgl.opencl.CL10.nclCreateCommandQueue;
import static org.lwjgl.opencl.CL10.nclEnqueueCopyBuffer;
import static org.lwjgl.opencl.CL10.nclWaitForEvents;
import static org.lwjgl.opencl.CL12.CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
import static org.lwjgl.opencl.CL12.nclEnqueueFillBuffer;
import static org.lwjgl.opencl.CL12.nclEnqueueMarkerWithWaitList;
import static org.lwjgl.opencl.CL12.nclEnqueueMigrateMemObjects;
import static org.lwjgl.opencl.CL20.nclEnqueueSVMMemFill;
import static org.lwjgl.opencl.CL20.nclEnqueueSVMMemcpy;
import static org.lwjgl.system.MemoryUtil.memAddress;

import io.cistern.manager.Allocation;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;

/**
 * A command queue: work on slices, in the order in which it is given.
 *
 * <p>Copies and fills return at once, with a fence that passes when they are done. Safe for many
 * threads.
 */
public final class OpenClQueue implements AutoCloseable {

  /** Bytes of the pattern of a fill. */
  private static final int PATTERN_BYTE_SIZE = 1;

  private final long queue;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  private OpenClQueue(long queue) {
    this.queue = queue;
  }

  /**
   * Makes an in-order queue on a storage's device.
   *
   * @throws IllegalStateException if the driver fails
   */
  public static OpenClQueue open(OpenClStorage storage) {
    return open(storage.context(), storage.device());
  }

  static OpenClQueue open(long context, long device) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      var code = stack.callocInt(1);
      long queue = nclCreateCommandQueue(context, device, 0, memAddress(code));
      check("clCreateCommandQueue", code.get(0));
      return new OpenClQueue(queue);
    }
  }

  /**
   * A queue that is there already, retained until this is closed. An out-of-order one keeps no
   * order here either.
   *
   * @param queue a {@code cl_command_queue}
   * @throws IllegalStateException if the driver fails
   */
  public static OpenClQueue of(long queue) {
    check("clRetainCommandQueue", clRetainCommandQueue(queue));
    return new OpenClQueue(queue);
  }

  /** The {@code cl_command_queue}. */
  public long queue() {
    return queue;
  }

  /**
   * Copies bytes of one slice to another of the same storage; within one slice the two ranges may
   * not overlap.
   *
   * @param source where the bytes come from
   * @param fromOffset where they begin in the source, in bytes
   * @param target where they go
   * @param toOffset where they begin in the target, in bytes
   * @param count how many, above 0
   * @return a fence that passes when they are copied
   * @throws IndexOutOfBoundsException if the bytes do not lie in the slices
   * @throws IllegalStateException if a slice is closed, or the driver fails
   */
  public OpenClFence copy(
      Allocation source, long fromOffset, Allocation target, long toOffset, long count) {
    Objects.checkFromIndexSize(fromOffset, count, source.byteSize());
    Objects.checkFromIndexSize(toOffset, count, target.byteSize());
    OpenClBlock from = source.block(OpenClBlock.class);
    OpenClBlock to = target.block(OpenClBlock.class);
    long fromByte = source.byteOffset() + fromOffset;
    long toByte = target.byteOffset() + toOffset;
    if (from.storage().memory().isShared()) {
      return enqueue(
          "clEnqueueSVMMemcpy",
          event ->
              nclEnqueueSVMMemcpy(
                  queue, 0, to.address() + toByte, from.address() + fromByte, count, 0, 0, event));
    }
    return enqueue(
        "clEnqueueCopyBuffer",
        event ->
            nclEnqueueCopyBuffer(
                queue, from.mem(), to.mem(), fromByte, toByte, count, 0, 0, event));
  }

  /**
   * Fills bytes of a slice with one value.
   *
   * @param slice the slice
   * @param byteOffset where in the slice the bytes begin
   * @param count how many, above 0
   * @param value what each becomes
   * @return a fence that passes when they are filled
   * @throws IndexOutOfBoundsException if the bytes do not lie in the slice
   * @throws IllegalStateException if the slice is closed, or the driver fails
   */
  public OpenClFence fill(Allocation slice, long byteOffset, long count, byte value) {
    Objects.checkFromIndexSize(byteOffset, count, slice.byteSize());
    OpenClBlock block = slice.block(OpenClBlock.class);
    long from = slice.byteOffset() + byteOffset;
    try (MemoryStack stack = MemoryStack.stackPush()) {
      // The driver has copied the pattern when the call returns.
      ByteBuffer pattern = stack.bytes(value);
      long bytes = memAddress(pattern);
      if (block.storage().memory().isShared()) {
        return enqueue(
            "clEnqueueSVMMemFill",
            event ->
                nclEnqueueSVMMemFill(
                    queue, block.address() + from, bytes, PATTERN_BYTE_SIZE, count, 0, 0, event));
      }
      return enqueue(
          "clEnqueueFillBuffer",
          event ->
              nclEnqueueFillBuffer(
                  queue, block.mem(), bytes, PATTERN_BYTE_SIZE, from, count, 0, 0, event));
    }
  }

  /**
   * A fence that passes when all work is done that was given to this queue before, kernels too.
   *
   * @throws IllegalStateException if the driver fails
   */
  public OpenClFence fence() {
    return enqueue(
        "clEnqueueMarkerWithWaitList", event -> nclEnqueueMarkerWithWaitList(queue, 0, 0, event));
  }

  /**
   * Waits until all work is done that was given to this queue.
   *
   * @throws IllegalStateException if the driver fails
   */
  public void finish() {
    check("clFinish", clFinish(queue));
  }

  /** A call that leaves an event at an address. */
  private interface Command {
    int enqueue(long eventAddress);
  }

  private static OpenClFence enqueue(String call, Command command) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer event = stack.callocPointer(1);
      check(call, command.enqueue(memAddress(event)));
      return OpenClFence.owning(event.get(0));
    }
  }

  /** Has the device take the memory of a buffer, and waits for it; returns the driver's code. */
  int moveToDevice(long mem) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer event = stack.callocPointer(1);
      int code =
          nclEnqueueMigrateMemObjects(
              queue,
              1,
              memAddress(stack.pointers(mem)),
              CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED,
              0,
              0,
              memAddress(event));
      if (code != CL_SUCCESS) {
        return code;
      }
      int waited = nclWaitForEvents(1, memAddress(event));
      clReleaseEvent(event.get(0));
      return waited;
    }
  }

  private static void check(String call, int code) {
    if (code != CL_SUCCESS) {
      throw OpenClErrors.failed(call, code);
    }
  }

  /** Lets go of the queue, whose work goes on. A second close does nothing. */
  @Override
  public void close() {
    if (isClosed.compareAndSet(false, true)) {
      clReleaseCommandQueue(queue);
    }
  }
}
