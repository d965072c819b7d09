package io.cistern.hip;

import io.cistern.gpu.driver.GpuCall;
import io.cistern.gpu.driver.GpuDialect;
import java.util.List;
import java.util.Map;

/** The names and numbers of HIP's API, from {@code hip_runtime_api.h}. */
final class Hip {

  private static final Map<GpuCall, String> SYMBOLS =
      Map.ofEntries(
          Map.entry(GpuCall.INIT, "hipInit"),
          Map.entry(GpuCall.DRIVER_VERSION, "hipDriverGetVersion"),
          Map.entry(GpuCall.ERROR_NAME_RETURNED, "hipGetErrorName"),
          Map.entry(GpuCall.DEVICE_COUNT, "hipGetDeviceCount"),
          Map.entry(GpuCall.DEVICE, "hipDeviceGet"),
          Map.entry(GpuCall.DEVICE_NAME, "hipDeviceGetName"),
          Map.entry(GpuCall.DEVICE_MEMORY, "hipDeviceTotalMem"),
          Map.entry(GpuCall.DEVICE_ATTRIBUTE, "hipDeviceGetAttribute"),
          Map.entry(GpuCall.DEVICE_CURRENT, "hipGetDevice"),
          Map.entry(GpuCall.DEVICE_SELECT, "hipSetDevice"),
          Map.entry(GpuCall.MEMORY_INFO, "hipMemGetInfo"),
          Map.entry(GpuCall.ALLOCATE, "hipMalloc"),
          Map.entry(GpuCall.FREE, "hipFree"),
          Map.entry(GpuCall.ALLOCATE_HOST, "hipHostMalloc"),
          Map.entry(GpuCall.FREE_HOST, "hipHostFree"),
          Map.entry(GpuCall.ALLOCATE_MANAGED, "hipMallocManaged"),
          Map.entry(GpuCall.POOL_CREATE, "hipMemPoolCreate"),
          Map.entry(GpuCall.POOL_SET, "hipMemPoolSetAttribute"),
          Map.entry(GpuCall.POOL_DESTROY, "hipMemPoolDestroy"),
          Map.entry(GpuCall.ALLOCATE_FROM_POOL, "hipMallocFromPoolAsync"),
          Map.entry(GpuCall.FREE_TO_POOL, "hipFreeAsync"),
          Map.entry(GpuCall.COPY_TO_DEVICE, "hipMemcpyHtoDAsync"),
          Map.entry(GpuCall.COPY_TO_HOST, "hipMemcpyDtoHAsync"),
          Map.entry(GpuCall.COPY, "hipMemcpyDtoDAsync"),
          Map.entry(GpuCall.FILL, "hipMemsetD8Async"),
          Map.entry(GpuCall.STREAM_CREATE, "hipStreamCreateWithFlags"),
          Map.entry(GpuCall.STREAM_DESTROY, "hipStreamDestroy"),
          Map.entry(GpuCall.STREAM_SYNCHRONIZE, "hipStreamSynchronize"),
          Map.entry(GpuCall.EVENT_CREATE, "hipEventCreateWithFlags"),
          Map.entry(GpuCall.EVENT_RECORD, "hipEventRecord"),
          Map.entry(GpuCall.EVENT_QUERY, "hipEventQuery"),
          Map.entry(GpuCall.EVENT_DESTROY, "hipEventDestroy"),
          Map.entry(GpuCall.CAPTURE_BEGIN, "hipStreamBeginCapture"),
          Map.entry(GpuCall.CAPTURE_END, "hipStreamEndCapture"),
          Map.entry(GpuCall.GRAPH_INSTANTIATE, "hipGraphInstantiateWithFlags"),
          Map.entry(GpuCall.GRAPH_LAUNCH, "hipGraphLaunch"),
          Map.entry(GpuCall.GRAPH_EXEC_DESTROY, "hipGraphExecDestroy"),
          Map.entry(GpuCall.GRAPH_DESTROY, "hipGraphDestroy"));

  // hipDeviceAttribute_t.
  private static final int MANAGED_MEMORY = 24;
  private static final int CONCURRENT_MANAGED_ACCESS = 9;
  private static final int MEMORY_POOLS_SUPPORTED = 88;

  static final GpuDialect DIALECT =
      new GpuDialect(
          "hip",
          "HIP",
          List.of("libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"),
          "cistern.hip.library",
          SYMBOLS,
          MANAGED_MEMORY,
          CONCURRENT_MANAGED_ACCESS,
          MEMORY_POOLS_SUPPORTED,
          Hip::version);

  private Hip() {}

  /** 60241134 is 6.2.41134. */
  static String version(int number) {
    return number / 10_000_000 + "." + number / 100_000 % 100 + "." + number % 100_000;
  }
}
