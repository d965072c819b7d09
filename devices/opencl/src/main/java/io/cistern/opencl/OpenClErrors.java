package io.cistern.opencl;

import io.cistern.DeviceMemoryException;
import io.cistern.DeviceMemoryException.Reason;
import java.util.Map;

/** The errors of this package, each saying what was asked, what was possible, and who refused. */
final class OpenClErrors {

  /** No code of a driver: what a call that returned nothing failed with. */
  static final int NO_CODE = 1;

  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(-1, "CL_DEVICE_NOT_FOUND"),
          Map.entry(-2, "CL_DEVICE_NOT_AVAILABLE"),
          Map.entry(-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"),
          Map.entry(-5, "CL_OUT_OF_RESOURCES"),
          Map.entry(-6, "CL_OUT_OF_HOST_MEMORY"),
          Map.entry(-8, "CL_MEM_COPY_OVERLAP"),
          Map.entry(-13, "CL_MISALIGNED_SUB_BUFFER_OFFSET"),
          Map.entry(-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"),
          Map.entry(-30, "CL_INVALID_VALUE"),
          Map.entry(-32, "CL_INVALID_PLATFORM"),
          Map.entry(-33, "CL_INVALID_DEVICE"),
          Map.entry(-34, "CL_INVALID_CONTEXT"),
          Map.entry(-36, "CL_INVALID_COMMAND_QUEUE"),
          Map.entry(-38, "CL_INVALID_MEM_OBJECT"),
          Map.entry(-58, "CL_INVALID_EVENT"),
          Map.entry(-59, "CL_INVALID_OPERATION"),
          Map.entry(-61, "CL_INVALID_BUFFER_SIZE"),
          Map.entry(-1001, "CL_PLATFORM_NOT_FOUND_KHR"),
          Map.entry(NO_CODE, "no memory"));

  private static final Map<Integer, Reason> REASONS =
      Map.of(
          -2,
          Reason.DEVICE_LOST,
          -4,
          Reason.OUT_OF_MEMORY,
          -5,
          Reason.OUT_OF_MEMORY,
          -6,
          Reason.OUT_OF_MEMORY,
          -61,
          Reason.BLOCK_TOO_LARGE,
          NO_CODE,
          Reason.OUT_OF_MEMORY);

  private OpenClErrors() {}

  /** A code as it is printed: {@code CL_OUT_OF_RESOURCES (-5)}. */
  static String name(int code) {
    String name = NAMES.getOrDefault(code, "OpenCL error");
    return code == NO_CODE ? name : name + " (" + code + ")";
  }

  static DeviceMemoryException refused(String device, String call, long byteSize, int code) {
    return new DeviceMemoryException(
        "device \"" + device + "\": " + call + " of " + byteSize + " bytes gives " + name(code),
        byteSize,
        REASONS.getOrDefault(code, Reason.DRIVER_FAILED));
  }

  static IllegalStateException failed(String call, int code) {
    return new IllegalStateException(call + " gives " + name(code));
  }

  static IllegalArgumentException noDevice(int index, int count, String whyNone) {
    return new IllegalArgumentException(
        "there is no device "
            + OpenClStorageProvider.NAME
            + ":"
            + index
            + (count == 0 ? ": " + whyNone : ", only " + count + " of that kind"));
  }

  static IllegalArgumentException badAlignment(String device, long asked, long least) {
    return new IllegalArgumentException(
        "device \""
            + device
            + "\" aligns to a power of two of at least "
            + least
            + " bytes, not to "
            + asked
            + " bytes");
  }

  static IllegalArgumentException noSharedMemory(String device, OpenClMemory memory) {
    return new IllegalArgumentException(
        "device \"" + device + "\" has no memory of kind " + memory.setting());
  }

  static IllegalStateException givenBack(OpenClBlock block) {
    return new IllegalStateException(block + " was given back");
  }

  static IllegalStateException sliceClosed() {
    return new IllegalStateException("this slice is closed already");
  }

  static IllegalArgumentException noBuffer(String device) {
    return new IllegalArgumentException(
        "device \"" + device + "\" was opened with shared virtual memory: a slice is an address");
  }

  static UnsupportedOperationException noSegment(String device) {
    return new UnsupportedOperationException(
        "the host does not see the memory of device \"" + device + "\": use read and write");
  }

  static UnsupportedOperationException noAddress(String device) {
    return new UnsupportedOperationException(
        "buffers of device \"" + device + "\" have no addresses: use OpenClSlice.mem()");
  }
}
