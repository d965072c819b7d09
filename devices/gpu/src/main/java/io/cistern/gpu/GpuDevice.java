package io.cistern.gpu;

import io.cistern.ffi.NativeLookupException;
import io.cistern.gpu.driver.GpuCall;
import io.cistern.gpu.driver.GpuCodes;
import io.cistern.gpu.driver.GpuDialect;
import io.cistern.gpu.driver.GpuDriver;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * A device as its driver describes it, which needs no context.
 *
 * @param driver the driver
 * @param handle the driver's own number of the device
 * @param name the device's name
 * @param totalByteSize its memory in bytes
 * @param managed whether it has managed memory
 * @param concurrent whether host and device may use managed memory at the same time
 * @param pools whether it has stream-ordered memory
 */
record GpuDevice(
    GpuDriver driver,
    int handle,
    String name,
    long totalByteSize,
    boolean managed,
    boolean concurrent,
    boolean pools) {

  private static final int NAME_ROOM = 256;

  /**
   * The devices of a driver, by their indices.
   *
   * @throws NoDeviceException if there are none; says what is missing
   */
  static List<GpuDevice> all(GpuDialect dialect) throws NoDeviceException {
    GpuDriver driver = driver(dialect);
    must(driver, GpuCall.INIT, 0);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
      must(driver, GpuCall.DEVICE_COUNT, out.address());
      int count = out.get(ValueLayout.JAVA_INT, 0);
      List<GpuDevice> devices = new ArrayList<>();
      for (int index = 0; index < count; index++) {
        devices.add(at(driver, index, arena));
      }
      if (devices.isEmpty()) {
        throw new NoDeviceException(driver.library() + " knows no device");
      }
      return devices;
    }
  }

  private static GpuDriver driver(GpuDialect dialect) throws NoDeviceException {
    try {
      GpuDriver driver = GpuDriver.load(dialect);
      if (driver.missing().isPresent()) {
        throw new NoDeviceException(
            driver.library() + " has no function " + driver.missing().orElseThrow());
      }
      return driver;
    } catch (NativeLookupException e) {
      throw new NoDeviceException(e);
    }
  }

  private static GpuDevice at(GpuDriver driver, int index, Arena arena) throws NoDeviceException {
    MemorySegment out = arena.allocate(NAME_ROOM, Long.BYTES);
    must(driver, GpuCall.DEVICE, out.address(), index);
    int handle = out.get(ValueLayout.JAVA_INT, 0);
    must(driver, GpuCall.DEVICE_NAME, out.address(), NAME_ROOM, handle);
    String name = out.getString(0);
    must(driver, GpuCall.DEVICE_MEMORY, out.address(), handle);
    long totalByteSize = out.get(ValueLayout.JAVA_LONG, 0);
    GpuDialect dialect = driver.dialect();
    return new GpuDevice(
        driver,
        handle,
        name,
        totalByteSize,
        has(driver, dialect.managed(), handle, out),
        has(driver, dialect.concurrent(), handle, out),
        has(driver, dialect.pools(), handle, out));
  }

  /** A driver that does not know an attribute is older than what it stands for. */
  private static boolean has(GpuDriver driver, int attribute, int handle, MemorySegment out) {
    int code = driver.call(GpuCall.DEVICE_ATTRIBUTE, out.address(), attribute, handle);
    return code == GpuCodes.SUCCESS && out.get(ValueLayout.JAVA_INT, 0) != 0;
  }

  private static void must(GpuDriver driver, GpuCall call, long... arguments)
      throws NoDeviceException {
    int code = driver.call(call, arguments);
    if (code != GpuCodes.SUCCESS) {
      throw new NoDeviceException(driver.describe(call, code));
    }
  }
}
