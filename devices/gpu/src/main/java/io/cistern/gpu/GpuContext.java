package io.cistern.gpu;

import io.cistern.DeviceMemoryException;
import io.cistern.DeviceMemoryException.Reason;
import io.cistern.gpu.driver.GpuCall;
import io.cistern.gpu.driver.GpuCodes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A device in use by one storage: makes the driver's calls, and owns the driver's objects that are
 * live, so that none outlives the storage.
 *
 * <p>Each call makes the device current to the thread and leaves the thread as it was, so that any
 * thread may call, and other users of the driver are not disturbed. That costs two more calls,
 * which change nothing but the thread's own state.
 *
 * <p>Safe for many threads.
 */
final class GpuContext {

  private static final long SCRATCH_BYTES = 2 * Long.BYTES;

  private final GpuDevice device;
  private final Currency currency;
  private volatile boolean lost;

  // Guarded by this, in the order they were made.
  private final Set<GpuHandle> handles = new LinkedHashSet<>();
  private boolean released;

  private GpuContext(GpuDevice device) {
    this.device = device;
    this.currency = Currency.of(device);
  }

  /**
   * Retains a device.
   *
   * @throws DeviceMemoryException if the driver refuses; nothing is retained
   */
  static GpuContext retain(GpuDevice device) {
    GpuContext context = new GpuContext(device);
    try (Arena arena = Arena.ofConfined()) {
      int code = context.currency.retain(arena.allocate(SCRATCH_BYTES, Long.BYTES));
      context.check(context.currency.retaining(), code, 0);
    }
    return context;
  }

  GpuDevice device() {
    return device;
  }

  /** Whether a call gave a code after which nothing works in this context. */
  boolean isLost() {
    return lost;
  }

  /**
   * Makes a call.
   *
   * @param byteSize what an error gives as the size it is about
   * @throws DeviceMemoryException if it fails
   */
  void run(GpuCall call, long byteSize, long... arguments) {
    check(call, ask(call, arguments), byteSize);
  }

  /**
   * Makes a call and gives its code.
   *
   * @throws DeviceMemoryException if the device can't be made current
   */
  int ask(GpuCall call, long... arguments) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment scratch = arena.allocate(SCRATCH_BYTES, Long.BYTES);
      check(currency.entering(), currency.enter(scratch), 0);
      try {
        return device.driver().call(call, arguments);
      } finally {
        currency.leave(scratch);
      }
    }
  }

  /**
   * Makes a call whose first argument is where its result goes.
   *
   * @param rest the other arguments
   * @return the result
   * @throws DeviceMemoryException if it fails
   */
  long get(GpuCall call, long byteSize, long... rest) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
      long[] arguments = new long[rest.length + 1];
      arguments[0] = out.address();
      System.arraycopy(rest, 0, arguments, 1, rest.length);
      run(call, byteSize, arguments);
      return out.get(ValueLayout.JAVA_LONG, 0);
    }
  }

  /**
   * Makes an object of the driver's, which this owns from now on.
   *
   * @param ending the call that ends it, by its handle alone
   * @throws DeviceMemoryException if it can't be made
   */
  GpuHandle make(GpuCall call, GpuCall ending, long... rest) {
    return own(get(call, 0, rest), ending);
  }

  /** Owns an object of the driver's from now on. */
  synchronized GpuHandle own(long handle, GpuCall ending) {
    GpuHandle owned = new GpuHandle(this, handle, ending);
    handles.add(owned);
    return owned;
  }

  synchronized void disown(GpuHandle handle) {
    handles.remove(handle);
  }

  /** Makes a call that undoes another after a failure, which is what the caller hears of. */
  void attempt(GpuCall call, long... arguments) {
    try {
      note(ask(call, arguments));
    } catch (DeviceMemoryException e) {
      // The first failure is the one to tell.
    }
  }

  /** How much memory the device has free, in bytes. */
  long freeByteSize() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(SCRATCH_BYTES, Long.BYTES);
      run(GpuCall.MEMORY_INFO, 0, out.address(), out.address() + Long.BYTES);
      return out.get(ValueLayout.JAVA_LONG, 0);
    }
  }

  /** Throws what a code means, if it is no success. */
  void check(GpuCall call, int code, long byteSize) {
    if (code != GpuCodes.SUCCESS) {
      note(code);
      throw GpuErrors.failed(device, call, code, byteSize);
    }
  }

  /** Whether the device is lost, by this code or one before. */
  boolean note(int code) {
    if (GpuCodes.reason(code) == Reason.DEVICE_LOST) {
      lost = true;
    }
    return lost;
  }

  /**
   * Ends all objects, the latest first, and releases the device.
   *
   * @return whether that is done; if not, the next call goes on
   */
  boolean end() {
    List<GpuHandle> live;
    synchronized (this) {
      if (released) {
        return true;
      }
      live = new ArrayList<>(handles);
    }
    try {
      live.forEach(GpuHandle::settle);
      live.reversed().forEach(GpuHandle::end);
      int code = currency.release();
      if (!note(code)) {
        check(currency.releasing(), code, 0);
      }
    } catch (DeviceMemoryException e) {
      return false;
    }
    synchronized (this) {
      released = true;
    }
    return true;
  }
}
