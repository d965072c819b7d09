package io.cistern.gpu;

import io.cistern.gpu.driver.GpuCall;
import io.cistern.gpu.driver.GpuCodes;
import io.cistern.gpu.driver.GpuDriver;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * How a thread's calls reach a device, and how the thread is left as it was.
 *
 * <p>CUDA has contexts: the device's primary one is retained once, and pushed and popped around
 * each call. HIP has a current device for each thread, which is selected where it is another.
 */
sealed interface Currency {

  /** The driver's way, ready for a device; nothing is retained yet. */
  static Currency of(GpuDevice device) {
    return device.driver().has(GpuCall.CONTEXT_PUSH)
        ? new Pushed(device.driver(), device.handle())
        : new Selected(device.driver(), device.handle());
  }

  /** The function that {@link #retain} calls. */
  GpuCall retaining();

  /** Retains what is needed; a code of the driver. */
  int retain(MemorySegment scratch);

  /** The function that {@link #release} calls. */
  GpuCall releasing();

  /** Releases it; a code of the driver. */
  int release();

  /** The function that {@link #enter} calls. */
  GpuCall entering();

  /** Makes the device current to this thread; a code of the driver. */
  int enter(MemorySegment scratch);

  /**
   * Makes current what was before. That this fails is of no use to know: what was called has had
   * its effect, and a broken device fails the next call too.
   */
  void leave(MemorySegment scratch);

  /** CUDA's. */
  final class Pushed implements Currency {
    private final GpuDriver driver;
    private final int device;
    private long context; // written before the storage is seen by others

    Pushed(GpuDriver driver, int device) {
      this.driver = driver;
      this.device = device;
    }

    @Override
    public GpuCall retaining() {
      return GpuCall.CONTEXT_RETAIN;
    }

    @Override
    public int retain(MemorySegment scratch) {
      int code = driver.call(GpuCall.CONTEXT_RETAIN, scratch.address(), device);
      context = scratch.get(ValueLayout.JAVA_LONG, 0);
      return code;
    }

    @Override
    public GpuCall releasing() {
      return GpuCall.CONTEXT_RELEASE;
    }

    @Override
    public int release() {
      return driver.call(GpuCall.CONTEXT_RELEASE, device);
    }

    @Override
    public GpuCall entering() {
      return GpuCall.CONTEXT_PUSH;
    }

    @Override
    public int enter(MemorySegment scratch) {
      return driver.call(GpuCall.CONTEXT_PUSH, context);
    }

    @Override
    public void leave(MemorySegment scratch) {
      driver.call(GpuCall.CONTEXT_POP, scratch.address());
    }
  }

  /** HIP's. */
  final class Selected implements Currency {
    private final GpuDriver driver;
    private final int device;

    Selected(GpuDriver driver, int device) {
      this.driver = driver;
      this.device = device;
    }

    @Override
    public GpuCall retaining() {
      return GpuCall.DEVICE_CURRENT;
    }

    @Override
    public int retain(MemorySegment scratch) {
      return GpuCodes.SUCCESS;
    }

    @Override
    public GpuCall releasing() {
      return GpuCall.DEVICE_CURRENT;
    }

    @Override
    public int release() {
      return GpuCodes.SUCCESS;
    }

    @Override
    public GpuCall entering() {
      return GpuCall.DEVICE_SELECT;
    }

    @Override
    public int enter(MemorySegment scratch) {
      int code = driver.call(GpuCall.DEVICE_CURRENT, scratch.address());
      if (code != GpuCodes.SUCCESS || before(scratch) == device) {
        return code;
      }
      return driver.call(GpuCall.DEVICE_SELECT, device);
    }

    @Override
    public void leave(MemorySegment scratch) {
      if (before(scratch) != device) {
        driver.call(GpuCall.DEVICE_SELECT, before(scratch));
      }
    }

    private static int before(MemorySegment scratch) {
      return scratch.get(ValueLayout.JAVA_INT, 0);
    }
  }
}
