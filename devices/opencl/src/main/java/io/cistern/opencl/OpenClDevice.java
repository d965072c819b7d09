package io.cistern.opencl;

import static org.lwjgl.opencl.CL10.CL_DEVICE_GLOBAL_MEM_SIZE;
import static org.lwjgl.opencl.CL10.CL_DEVICE_MAX_MEM_ALLOC_SIZE;
import static org.lwjgl.opencl.CL10.CL_DEVICE_MEM_BASE_ADDR_ALIGN;
import static org.lwjgl.opencl.CL10.CL_DEVICE_NAME;
import static org.lwjgl.opencl.CL10.CL_DEVICE_PLATFORM;
import static org.lwjgl.opencl.CL10.CL_DEVICE_VERSION;
import static org.lwjgl.opencl.CL10.CL_DRIVER_VERSION;
import static org.lwjgl.opencl.CL10.CL_PLATFORM_NAME;
import static org.lwjgl.opencl.CL10.CL_SUCCESS;
import static org.lwjgl.opencl.CL10.nclGetDeviceInfo;
import static org.lwjgl.opencl.CL10.nclGetPlatformInfo;
import static org.lwjgl.opencl.CL20.CL_DEVICE_SVM_CAPABILITIES;

import io.cistern.MemorySize;
import io.cistern.storage.DeviceInfo;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.StorageOptions;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;

/**
 * A device as its driver describes it. Sizes are in bytes.
 *
 * @param handle the {@code cl_device_id}
 * @param byteAlignment what the origin of a sub-buffer must be a multiple of
 * @param svm the bits of the kinds of shared virtual memory that it has; 0 if none
 */
record OpenClDevice(
    long handle,
    String name,
    String driver,
    long total,
    long maxBlockByteSize,
    long byteAlignment,
    long svm) {

  /** The first version that fills buffers and moves them to a device when told to. */
  private static final String LEAST_VERSION = "OpenCL 1.2";

  static OpenClDevice of(long handle) {
    return new OpenClDevice(
        handle,
        text(handle, CL_DEVICE_NAME),
        platformName(platform(handle)) + " " + text(handle, CL_DRIVER_VERSION),
        number(handle, CL_DEVICE_GLOBAL_MEM_SIZE),
        number(handle, CL_DEVICE_MAX_MEM_ALLOC_SIZE),
        number(handle, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / Byte.SIZE,
        numberOrZero(handle, CL_DEVICE_SVM_CAPABILITIES));
  }

  /** The {@code cl_platform_id} of a device. */
  static long platform(long handle) {
    return number(handle, CL_DEVICE_PLATFORM);
  }

  /** Whether a device is new enough to be used here. */
  static boolean isUsable(long handle) {
    return text(handle, CL_DEVICE_VERSION).compareTo(LEAST_VERSION) >= 0;
  }

  /**
   * What it is when it is opened with options.
   *
   * @throws IllegalArgumentException if it can't be had with these
   */
  DeviceProperties properties(StorageOptions options, OpenClMemory memory) {
    if (!memory.isIn(svm)) {
      throw OpenClErrors.noSharedMemory(name, memory);
    }
    long alignment = options.byteAlignment().orElse(byteAlignment);
    if (alignment < byteAlignment || Long.bitCount(alignment) != 1) {
      throw OpenClErrors.badAlignment(name, alignment, byteAlignment);
    }
    MemorySize whole = MemorySize.of(total);
    MemorySize capacity = options.capacity().filter(it -> it.compareTo(whole) < 0).orElse(whole);
    return new DeviceProperties(
        name,
        capacity,
        options
            .maxPageSize()
            .orElse(MemorySize.of(Math.min(capacity.bytes() / 4, maxBlockByteSize))),
        alignment,
        alignment,
        memory.features());
  }

  DeviceInfo info() {
    Map<String, Long> limits = new LinkedHashMap<>();
    limits.put("max-block-bytes", maxBlockByteSize);
    limits.put("base-address-alignment", byteAlignment);
    String kinds =
        Arrays.stream(OpenClMemory.values())
            .filter(memory -> memory.isIn(svm))
            .map(OpenClMemory::setting)
            .collect(Collectors.joining("|"));
    return new DeviceInfo(
        properties(StorageOptions.DEFAULT, OpenClMemory.BUFFER),
        driver,
        limits,
        Map.of("memory", kinds));
  }

  private static long number(long device, int what) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      ByteBuffer value = stack.calloc(Long.BYTES);
      check(nclGetDeviceInfo(device, what, Long.BYTES, MemoryUtil.memAddress(value), 0));
      return value.getLong(0);
    }
  }

  /** What older devices do not know. */
  private static long numberOrZero(long device, int what) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      ByteBuffer value = stack.calloc(Long.BYTES);
      int code = nclGetDeviceInfo(device, what, Long.BYTES, MemoryUtil.memAddress(value), 0);
      return code == CL_SUCCESS ? value.getLong(0) : 0;
    }
  }

  private static String text(long device, int what) {
    return text((size, address, used) -> nclGetDeviceInfo(device, what, size, address, used));
  }

  private static String platformName(long platform) {
    return text(
        (size, address, used) ->
            nclGetPlatformInfo(platform, CL_PLATFORM_NAME, size, address, used));
  }

  /** A query that is first asked for its size. */
  private interface Query {
    int ask(long byteSize, long address, long byteSizeAddress);
  }

  private static String text(Query query) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer byteSize = stack.callocPointer(1);
      check(query.ask(0, 0, MemoryUtil.memAddress(byteSize)));
      ByteBuffer text = stack.calloc(Math.toIntExact(byteSize.get(0)));
      check(query.ask(text.remaining(), MemoryUtil.memAddress(text), 0));
      return MemoryUtil.memUTF8(MemoryUtil.memAddress(text)).strip();
    }
  }

  private static void check(int code) {
    if (code != CL_SUCCESS) {
      throw OpenClErrors.failed("a query of a device", code);
    }
  }
}
