package io.cistern.gpu;

import io.cistern.DeviceMemoryException;
import io.cistern.DeviceMemoryException.Reason;
import io.cistern.gpu.driver.GpuCall;
import io.cistern.gpu.driver.GpuCodes;
import io.cistern.gpu.driver.GpuDriver;
import io.cistern.storage.Storage;
import java.lang.foreign.MemorySegment;

/** The errors of this package, each saying what was asked, what was possible, and who refused. */
final class GpuErrors {

  private GpuErrors() {}

  private static String device(String name) {
    return "device \"" + name + "\"";
  }

  /** A call failed; the reason is its code's. */
  static DeviceMemoryException failed(GpuDevice device, GpuCall call, int code, long byteSize) {
    return new DeviceMemoryException(
        device(device.name()) + " fails: " + device.driver().describe(call, code),
        byteSize,
        GpuCodes.reason(code));
  }

  static DeviceMemoryException outOfMemory(
      String name, long asked, long out, long capacity, String free, DeviceMemoryException cause) {
    return new DeviceMemoryException(
        device(name)
            + " is out of memory: asked for "
            + asked
            + " bytes, of "
            + capacity
            + " bytes "
            + out
            + " are out, "
            + free
            + "; "
            + cause.getMessage(),
        asked,
        Reason.OUT_OF_MEMORY,
        cause);
  }

  static DeviceMemoryException notFree(String name, long asked, long free) {
    return new DeviceMemoryException(
        device(name)
            + " gives managed memory that it has free alone: asked for "
            + asked
            + " bytes, free are "
            + free
            + " bytes",
        asked,
        Reason.OUT_OF_MEMORY);
  }

  static DeviceMemoryException misaligned(
      String name, long byteSize, long address, long alignment) {
    return new DeviceMemoryException(
        device(name)
            + " gave "
            + byteSize
            + " bytes at 0x"
            + Long.toHexString(address)
            + ", which is no multiple of "
            + alignment,
        byteSize,
        Reason.DRIVER_FAILED);
  }

  static DeviceMemoryException inAccess(GpuBlock block, IllegalStateException cause) {
    return new DeviceMemoryException(
        block + " can't be given back while the host accesses it: " + cause.getMessage(),
        block.byteSize(),
        Reason.IN_USE,
        cause);
  }

  static IllegalArgumentException noDevice(String kind, int index, String why) {
    return new IllegalArgumentException("there is no device " + kind + ":" + index + ": " + why);
  }

  static IllegalArgumentException noDevice(String kind, int index, int count) {
    return new IllegalArgumentException(
        "there is no device " + kind + ":" + index + "; found of this kind: " + count);
  }

  static IllegalArgumentException badAlignment(String name, long alignment, long least, long most) {
    return new IllegalArgumentException(
        device(name)
            + " aligns to a power of two from "
            + least
            + " to "
            + most
            + " bytes, not to "
            + alignment
            + " bytes");
  }

  static IllegalArgumentException notOpened(String name, DeviceMemoryException cause) {
    return new IllegalArgumentException(
        device(name) + " can't be opened: " + cause.getMessage(), cause);
  }

  static IllegalArgumentException noSuchMemory(GpuDevice device, String memory, String why) {
    return new IllegalArgumentException(
        device(device.name())
            + " has no memory \""
            + memory
            + "\": "
            + why
            + " ("
            + device.driver().version()
            + ")");
  }

  static IllegalArgumentException badSize(String setting, String value) {
    return new IllegalArgumentException(
        "the setting \"" + setting + "\" is a size such as 64MiB, not \"" + value + "\"");
  }

  static IllegalArgumentException settingOfAsync(String setting, String memory) {
    return new IllegalArgumentException(
        "the setting \"" + setting + "\" is for memory async, not for " + memory);
  }

  static String noFunction(GpuDriver driver, GpuCall call) {
    return driver.library() + " has no function " + driver.symbol(call);
  }

  static UnsupportedOperationException noGraphs(GpuDevice device, GpuCall call) {
    return new UnsupportedOperationException(
        device(device.name())
            + " can't record work: "
            + noFunction(device.driver(), call)
            + " ("
            + device.driver().version()
            + ")");
  }

  static UnsupportedOperationException noHostAccess(String name) {
    return new UnsupportedOperationException(
        device(name)
            + " keeps this memory from the host; read, write, or copy on a stream, or open it"
            + " with memory=pinned");
  }

  static IllegalArgumentException noGpu(Storage storage) {
    return new IllegalArgumentException(
        "a stream needs the storage of a CUDA or HIP device, not of "
            + device(storage.properties().name()));
  }

  static IllegalStateException givenBack(GpuBlock block) {
    return new IllegalStateException(block + " is given back");
  }

  static IllegalStateException closed(String what) {
    return new IllegalStateException(what + " is closed, or its storage is");
  }

  static IllegalStateException recording(String asked) {
    return new IllegalStateException(asked + " while a stream records a graph");
  }

  static IllegalArgumentException otherStorage(GpuBlock block, String stream) {
    return new IllegalArgumentException(block + " is not of the storage of " + stream);
  }

  static IllegalArgumentException onHeap(MemorySegment segment) {
    return new IllegalArgumentException(
        "a stream copies from and to native memory, not an array of "
            + segment.byteSize()
            + " bytes; pinned memory is fastest");
  }

  static IllegalStateException ended(MemorySegment segment) {
    return new IllegalStateException(
        "the segment of " + segment.byteSize() + " bytes has ended already");
  }
}
