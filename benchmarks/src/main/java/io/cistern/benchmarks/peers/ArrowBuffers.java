package io.cistern.benchmarks.peers;

import java.util.OptionalLong;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Buffers of Arrow, whose module of the class path decides where memory comes from. */
final class ArrowBuffers implements Peer {

  private final BufferAllocator allocator = new RootAllocator(Long.MAX_VALUE);

  @Override
  public Slots slots(int count) {
    return new BufferSlots(allocator, count);
  }

  @Override
  public OptionalLong heldBytes() {
    return OptionalLong.of(allocator.getAllocatedMemory());
  }

  @Override
  public void close() {
    allocator.close();
  }

  private static final class BufferSlots extends Slots {
    private final BufferAllocator allocator;
    private final ArrowBuf[] buffers;

    BufferSlots(BufferAllocator allocator, int count) {
      this.allocator = allocator;
      this.buffers = new ArrowBuf[count];
    }

    @Override
    public void allocate(int slot, long byteSize) {
      buffers[slot] = allocator.buffer(byteSize);
    }

    @Override
    public void free(int slot) {
      buffers[slot].close();
    }
  }
}
