package io.cistern.gpu;

import io.cistern.DeviceMemoryException;
import io.cistern.gpu.driver.GpuCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Memory of a pool of the driver's, which keeps what is given back up to a threshold: making and
 * ending blocks is cheap, and does not wait for the whole device.
 *
 * <p>Blocks are made and ended in the order of a stream of their own. That stream is waited for, so
 * that a block may be used by any stream when it is there. Nothing else runs in it.
 */
final class StreamOrderedMemory implements BlockSource {

  private static final String NAME = "stream-ordered memory";

  private static final long PROPERTIES_BYTES = 88;
  private static final int PINNED_TYPE = 1;
  private static final int DEVICE_LOCATION = 1;
  private static final int RELEASE_THRESHOLD = 4;

  private final GpuContext context;
  private final GpuHandle stream;
  private final GpuHandle pool;

  private StreamOrderedMemory(GpuContext context, GpuHandle stream, GpuHandle pool) {
    this.context = context;
    this.stream = stream;
    this.pool = pool;
  }

  /**
   * Makes a pool.
   *
   * @param stream waited for at each block
   * @param threshold how much of what was given back the pool keeps, in bytes
   * @throws DeviceMemoryException if the driver refuses
   */
  static BlockSource of(GpuContext context, GpuHandle stream, long threshold) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment properties = arena.allocate(PROPERTIES_BYTES, Long.BYTES);
      properties.setAtIndex(ValueLayout.JAVA_INT, 0, PINNED_TYPE);
      properties.setAtIndex(ValueLayout.JAVA_INT, 2, DEVICE_LOCATION);
      properties.setAtIndex(ValueLayout.JAVA_INT, 3, context.device().handle());
      GpuHandle pool =
          context.make(GpuCall.POOL_CREATE, GpuCall.POOL_DESTROY, properties.address());
      MemorySegment value = arena.allocateFrom(ValueLayout.JAVA_LONG, threshold);
      pool.run(NAME, GpuCall.POOL_SET, RELEASE_THRESHOLD, value.address());
      return new StreamOrderedMemory(context, stream, pool);
    }
  }

  @Override
  public long take(long byteSize) {
    return stream.with(NAME, order -> pool.with(NAME, from -> take(byteSize, from, order)));
  }

  private long take(long byteSize, long from, long order) {
    long address = context.get(GpuCall.ALLOCATE_FROM_POOL, byteSize, byteSize, from, order);
    try {
      context.run(GpuCall.STREAM_SYNCHRONIZE, byteSize, order);
    } catch (DeviceMemoryException e) {
      context.attempt(GpuCall.FREE_TO_POOL, address, order);
      throw e;
    }
    return address;
  }

  @Override
  public void giveBack(long address, long byteSize) {
    stream.with(
        NAME,
        order -> {
          context.run(GpuCall.FREE_TO_POOL, byteSize, address, order);
          // What is above the threshold goes back to the device at this point.
          context.attempt(GpuCall.STREAM_SYNCHRONIZE, order);
          return order;
        });
  }
}
