package io.cistern.benchmarks.peers;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.OptionalLong;

/**
 * Direct buffers of Netty, as fast as it can be asked for: with caches for every thread, and no
 * search for leaks.
 */
final class NettyBuffers implements Peer {

  private final ByteBufAllocator allocator;

  private NettyBuffers(ByteBufAllocator allocator) {
    this.allocator = allocator;
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
  }

  static Peer pooled() {
    return new NettyBuffers(
        new PooledByteBufAllocator(
            true,
            0,
            PooledByteBufAllocator.defaultNumDirectArena(),
            PooledByteBufAllocator.defaultPageSize(),
            PooledByteBufAllocator.defaultMaxOrder(),
            PooledByteBufAllocator.defaultSmallCacheSize(),
            PooledByteBufAllocator.defaultNormalCacheSize(),
            true));
  }

  static Peer adaptive() {
    return new NettyBuffers(new AdaptiveByteBufAllocator(true, true));
  }

  @Override
  public Slots slots(int count) {
    return new BufferSlots(allocator, count);
  }

  @Override
  public OptionalLong heldBytes() {
    return OptionalLong.of(
        ((ByteBufAllocatorMetricProvider) allocator).metric().usedDirectMemory());
  }

  /** The garbage collector takes what the caches still hold. */
  @Override
  public void close() {}

  private static final class BufferSlots extends Slots {
    private final ByteBufAllocator allocator;
    private final ByteBuf[] buffers;

    BufferSlots(ByteBufAllocator allocator, int count) {
      this.allocator = allocator;
      this.buffers = new ByteBuf[count];
    }

    @Override
    public void allocate(int slot, long byteSize) {
      buffers[slot] = allocator.directBuffer((int) byteSize);
    }

    @Override
    public void free(int slot) {
      buffers[slot].release();
    }
  }
}
