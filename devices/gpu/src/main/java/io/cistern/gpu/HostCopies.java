package io.cistern.gpu;

import io.cistern.DeviceMemoryException;
import io.cistern.gpu.driver.GpuCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Copies between the host and the device that are done when a call returns. */
final class HostCopies {

  private static final String NAME = "the storage";

  /** Arrays of the heap are copied in pieces through native memory. */
  private static final long PIECE_BYTES = 1L << 20;

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
    if (target.isNative()) {
      copy(GpuCall.COPY_TO_HOST, target.address(), address, target.byteSize());
      return;
    }
    inPieces(
        target,
        (at, part, piece) -> {
          copy(GpuCall.COPY_TO_HOST, piece.address(), address + at, piece.byteSize());
          part.copyFrom(piece);
        });
  }

  /**
   * Copies to the device.
   *
   * @throws DeviceMemoryException if the device fails
   */
  void write(long address, MemorySegment source) {
    if (source.isNative()) {
      copy(GpuCall.COPY_TO_DEVICE, address, source.address(), source.byteSize());
      return;
    }
    inPieces(
        source,
        (at, part, piece) -> {
          piece.copyFrom(part);
          copy(GpuCall.COPY_TO_DEVICE, address + at, piece.address(), piece.byteSize());
        });
  }

  private interface Piece {
    void copy(long at, MemorySegment part, MemorySegment piece);
  }

  private static void inPieces(MemorySegment whole, Piece action) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment room = arena.allocate(Math.min(PIECE_BYTES, whole.byteSize()));
      for (long at = 0; at < whole.byteSize(); at += PIECE_BYTES) {
        long length = Math.min(PIECE_BYTES, whole.byteSize() - at);
        action.copy(at, whole.asSlice(at, length), room.asSlice(0, length));
      }
    }
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
