package io.cistern.opencl;

import static org.lwjgl.opencl.CL10.CL_COMPLETE;
import static org.lwjgl.opencl.CL10.CL_EVENT_COMMAND_EXECUTION_STATUS;
import static org.lwjgl.opencl.CL10.CL_EVENT_COMMAND_QUEUE;
import static org.lwjgl.opencl.CL10.CL_SUCCESS;
import static org.lwjgl.opencl.CL10.clFlush;
import static org.lwjgl.opencl.CL10.clReleaseEvent;
import static org.lwjgl.opencl.CL10.clRetainEvent;
import static org.lwjgl.opencl.CL10.nclGetEventInfo;
import static org.lwjgl.system.MemoryUtil.memAddress;

import io.cistern.storage.Fence;
import java.lang.ref.Cleaner;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;

/**
 * The end of a command, by its event. A command that failed has ended, and so has one whose device
 * is lost.
 *
 * <p>The event is released when the fence is seen to have passed, or is no longer reachable.
 */
public final class OpenClFence implements Fence {

  private static final Cleaner CLEANER = Cleaner.create();

  private final Held held;
  private final Cleaner.Cleanable release;

  private OpenClFence(long event) {
    this.held = new Held(event);
    this.release = CLEANER.register(this, held);
  }

  /**
   * The end of a command. The event is retained; its queue is flushed, so that the command begins.
   *
   * @param event a {@code cl_event}
   * @throws IllegalStateException if the driver fails
   */
  public static OpenClFence of(long event) {
    int code = clRetainEvent(event);
    if (code != CL_SUCCESS) {
      throw OpenClErrors.failed("clRetainEvent", code);
    }
    return owning(event);
  }

  /** Takes over a reference of an event. */
  static OpenClFence owning(long event) {
    flushQueue(event);
    return new OpenClFence(event);
  }

  /** A command that stays in its queue would never end. Events of users have no queue. */
  private static void flushQueue(long event) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer queue = stack.callocPointer(1);
      int code =
          nclGetEventInfo(
              event, CL_EVENT_COMMAND_QUEUE, PointerBuffer.POINTER_SIZE, memAddress(queue), 0);
      if (code == CL_SUCCESS && queue.get(0) != 0) {
        clFlush(queue.get(0));
      }
    }
  }

  @Override
  public boolean hasPassed() {
    boolean passed = held.hasPassed();
    if (passed) {
      release.clean();
    }
    return passed;
  }

  /** One reference of an event, given up exactly once. Apart from the fence, for the cleaner. */
  private static final class Held implements Runnable {

    // Guarded by this. 0: given up, for the command has ended or nobody asks any more.
    private long event;

    Held(long event) {
      this.event = event;
    }

    synchronized boolean hasPassed() {
      if (event == 0) {
        return true;
      }
      try (MemoryStack stack = MemoryStack.stackPush()) {
        var status = stack.callocInt(1);
        int code =
            nclGetEventInfo(
                event, CL_EVENT_COMMAND_EXECUTION_STATUS, Integer.BYTES, memAddress(status), 0);
        return code != CL_SUCCESS || status.get(0) <= CL_COMPLETE;
      }
    }

    @Override
    public synchronized void run() {
      if (event != 0) {
        clReleaseEvent(event);
        event = 0;
      }
    }
  }
}
