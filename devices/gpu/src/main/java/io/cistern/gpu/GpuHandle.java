package io.cistern.gpu;

import io.cistern.DeviceMemoryException;
import io.cistern.gpu.driver.GpuCall;
import io.cistern.gpu.driver.GpuCodes;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongFunction;

/**
 * An object of the driver's: not ended while it is used, and not used after its end. Safe for many
 * threads.
 */
final class GpuHandle {

  private static final long ENDED = 0;

  private final GpuContext context;
  private final GpuCall ending;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private long value; // guarded by the lock

  GpuHandle(GpuContext context, long value, GpuCall ending) {
    this.context = context;
    this.value = value;
    this.ending = ending;
  }

  /**
   * Uses the object.
   *
   * @param what its name, for the error
   * @throws IllegalStateException if it is ended
   */
  <T> T with(String what, LongFunction<T> action) {
    lock.readLock().lock();
    try {
      if (value == ENDED) {
        throw GpuErrors.closed(what);
      }
      return action.apply(value);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Makes a call whose arguments are this and then others. */
  void run(String what, GpuCall call, long... rest) {
    with(
        what,
        handle -> {
          long[] arguments = new long[rest.length + 1];
          arguments[0] = handle;
          System.arraycopy(rest, 0, arguments, 1, rest.length);
          context.run(call, 0, arguments);
          return handle;
        });
  }

  /** Waits for a stream's work; does nothing with another object. */
  void settle() {
    if (ending == GpuCall.STREAM_DESTROY) {
      lock.readLock().lock();
      try {
        if (value != ENDED) {
          allow(GpuCall.STREAM_SYNCHRONIZE);
        }
      } finally {
        lock.readLock().unlock();
      }
    }
  }

  /**
   * Ends the object, once. On a lost device it is gone already.
   *
   * @throws DeviceMemoryException if the driver refuses; it is still there
   */
  void end() {
    lock.writeLock().lock();
    try {
      if (value != ENDED) {
        allow(ending);
        value = ENDED;
        context.disown(this);
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Makes a call on this that may fail on a lost device. */
  private void allow(GpuCall call) {
    try {
      context.check(call, context.ask(call, value), 0);
    } catch (DeviceMemoryException e) {
      if (!context.isLost()) {
        throw e;
      }
    }
  }

  /**
   * Whether an event has passed. One that is ended has, and so has one on a lost device, where
   * nothing will run any more; after another failure it has not, and may be asked again.
   */
  boolean hasPassed() {
    lock.readLock().lock();
    try {
      if (value == ENDED) {
        return true;
      }
      int code = context.ask(GpuCall.EVENT_QUERY, value);
      return code == GpuCodes.SUCCESS || context.note(code);
    } catch (DeviceMemoryException e) {
      return context.isLost();
    } finally {
      lock.readLock().unlock();
    }
  }
}
