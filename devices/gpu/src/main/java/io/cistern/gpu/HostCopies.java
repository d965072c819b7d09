package io.cistern.gpu;

import io.cistern.DeviceMemoryException;
import io.cistern.gpu.driver.GpuCall;
import io.cistern.storage.HostBytes;
import java.lang.foreign.MemorySegment;

/** Copies between the host and the device that are done when a call returns. */
final class HostCopies {

  private static final String NAME = "the storage";

  private final GpuContext context;
  private final GpuHandle stream;

  HostCopies(GpuContext context, GpuHandle stream) {
    this.context = context;
    this.stream = stream;
  }

  /**
   * Copies to the host.
   *
   * @throws DeviceMemoryException if the device fails
   */
  void read(long address, MemorySegment target) {
    HostBytes.to(
        target,
        (at, piece) -> copy(GpuCall.COPY_TO_HOST, piece.address(), address + at, piece.byteSize()));
  }

  /**
   * Copies to the device.
   *
   * @throws DeviceMemoryException if the device fails
   */
  void write(long address, MemorySegment source) {
    HostBytes.from(
        source,
        (at, piece) ->
            copy(GpuCall.COPY_TO_DEVICE, address + at, piece.address(), piece.byteSize()));
  }

  private void copy(GpuCall call, long to, long from, long byteSize) {
    stream.with(
        NAME,
        order -> {
          if (byteSize > 0) {
            context.run(call, byteSize, to, from, byteSize, order);
            context.run(GpuCall.STREAM_SYNCHRONIZE, byteSize, order);
          }
          return order;
        });
  }
}
