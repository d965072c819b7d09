package io.cistern.cuda;

import io.cistern.gpu.driver.GpuCall;
import io.cistern.gpu.driver.GpuDialect;
import java.util.List;
import java.util.Map;

/** The names and numbers of CUDA's driver API, from {@code cuda.h}. */
final class Cuda {

  private static final Map<GpuCall, String> SYMBOLS =
      Map.ofEntries(
          Map.entry(GpuCall.INIT, "cuInit"),
          Map.entry(GpuCall.DRIVER_VERSION, "cuDriverGetVersion"),
          Map.entry(GpuCall.ERROR_NAME, "cuGetErrorName"),
          Map.entry(GpuCall.DEVICE_COUNT, "cuDeviceGetCount"),
          Map.entry(GpuCall.DEVICE, "cuDeviceGet"),
          Map.entry(GpuCall.DEVICE_NAME, "cuDeviceGetName"),
          Map.entry(GpuCall.DEVICE_MEMORY, "cuDeviceTotalMem_v2"),
          Map.entry(GpuCall.DEVICE_ATTRIBUTE, "cuDeviceGetAttribute"),
          Map.entry(GpuCall.CONTEXT_RETAIN, "cuDevicePrimaryCtxRetain"),
          Map.entry(GpuCall.CONTEXT_RELEASE, "cuDevicePrimaryCtxRelease_v2"),
          Map.entry(GpuCall.CONTEXT_PUSH, "cuCtxPushCurrent_v2"),
          Map.entry(GpuCall.CONTEXT_POP, "cuCtxPopCurrent_v2"),
          Map.entry(GpuCall.MEMORY_INFO, "cuMemGetInfo_v2"),
          Map.entry(GpuCall.ALLOCATE, "cuMemAlloc_v2"),
          Map.entry(GpuCall.FREE, "cuMemFree_v2"),
          Map.entry(GpuCall.ALLOCATE_HOST, "cuMemHostAlloc"),
          Map.entry(GpuCall.FREE_HOST, "cuMemFreeHost"),
          Map.entry(GpuCall.ALLOCATE_MANAGED, "cuMemAllocManaged"),
          Map.entry(GpuCall.POOL_CREATE, "cuMemPoolCreate"),
          Map.entry(GpuCall.POOL_SET, "cuMemPoolSetAttribute"),
          Map.entry(GpuCall.POOL_DESTROY, "cuMemPoolDestroy"),
          Map.entry(GpuCall.ALLOCATE_FROM_POOL, "cuMemAllocFromPoolAsync"),
          Map.entry(GpuCall.FREE_TO_POOL, "cuMemFreeAsync"),
          Map.entry(GpuCall.COPY_TO_DEVICE, "cuMemcpyHtoDAsync_v2"),
          Map.entry(GpuCall.COPY_TO_HOST, "cuMemcpyDtoHAsync_v2"),
          Map.entry(GpuCall.COPY, "cuMemcpyDtoDAsync_v2"),
          Map.entry(GpuCall.FILL, "cuMemsetD8Async"),
          Map.entry(GpuCall.STREAM_CREATE, "cuStreamCreate"),
          Map.entry(GpuCall.STREAM_DESTROY, "cuStreamDestroy_v2"),
          Map.entry(GpuCall.STREAM_SYNCHRONIZE, "cuStreamSynchronize"),
          Map.entry(GpuCall.EVENT_CREATE, "cuEventCreate"),
          Map.entry(GpuCall.EVENT_RECORD, "cuEventRecord"),
          Map.entry(GpuCall.EVENT_QUERY, "cuEventQuery"),
          Map.entry(GpuCall.EVENT_DESTROY, "cuEventDestroy_v2"),
          Map.entry(GpuCall.CAPTURE_BEGIN, "cuStreamBeginCapture_v2"),
          Map.entry(GpuCall.CAPTURE_END, "cuStreamEndCapture"),
          Map.entry(GpuCall.GRAPH_INSTANTIATE, "cuGraphInstantiateWithFlags"),
          Map.entry(GpuCall.GRAPH_LAUNCH, "cuGraphLaunch"),
          Map.entry(GpuCall.GRAPH_EXEC_DESTROY, "cuGraphExecDestroy"),
          Map.entry(GpuCall.GRAPH_DESTROY, "cuGraphDestroy"));

  // CUdevice_attribute.
  private static final int MANAGED_MEMORY = 83;
  private static final int CONCURRENT_MANAGED_ACCESS = 89;
  private static final int MEMORY_POOLS_SUPPORTED = 115;

  static final GpuDialect DIALECT =
      new GpuDialect(
          "cuda",
          "CUDA",
          List.of("libcuda.so.1"),
          "cistern.cuda.library",
          SYMBOLS,
          MANAGED_MEMORY,
          CONCURRENT_MANAGED_ACCESS,
          MEMORY_POOLS_SUPPORTED,
          Cuda::version);

  private Cuda() {}

  /** 12040 is 12.4. */
  static String version(int number) {
    return number / 1000 + "." + number % 1000 / 10;
  }
}
