package io.cistern.benchmarks.peers;

import java.util.OptionalLong;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.util.vma.Vma;
import org.lwjgl.util.vma.VmaVirtualAllocationCreateInfo;
import org.lwjgl.util.vma.VmaVirtualBlockCreateInfo;

/**
 * The bookkeeping of the Vulkan Memory Allocator, without memory: one block as large as anybody
 * will ask for, so that it holds all from the start and has nothing to say about that.
 */
final class VirtualBlock implements Peer {

  private static final long BYTE_SIZE = 1L << 40;

  /** Vulkan's {@code VK_SUCCESS}. */
  private static final int SUCCESS = 0;

  private final long block;

  VirtualBlock() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer made = stack.mallocPointer(1);
      VmaVirtualBlockCreateInfo info = VmaVirtualBlockCreateInfo.calloc(stack).size(BYTE_SIZE);
      check(Vma.vmaCreateVirtualBlock(info, made));
      block = made.get(0);
    }
  }

  private static void check(int result) {
    if (result != SUCCESS) {
      throw new IllegalStateException("VMA refused with " + result);
    }
  }

  @Override
  public Slots slots(int count) {
    return new BlockSlots(block, count);
  }

  @Override
  public OptionalLong heldBytes() {
    return OptionalLong.empty();
  }

  @Override
  public void close() {
    Vma.vmaDestroyVirtualBlock(block);
  }

  /** Calls as a program in a hurry would: with addresses of structures that are made once. */
  private static final class BlockSlots extends Slots {
    private final long block;
    private final long[] allocations;
    private final VmaVirtualAllocationCreateInfo request = VmaVirtualAllocationCreateInfo.calloc();
    private final long made = MemoryUtil.nmemAllocChecked(2L * Long.BYTES);

    BlockSlots(long block, int count) {
      this.block = block;
      this.allocations = new long[count];
    }

    @Override
    public void allocate(int slot, long byteSize) {
      request.size(byteSize);
      check(Vma.nvmaVirtualAllocate(block, request.address(), made, made + Long.BYTES));
      allocations[slot] = MemoryUtil.memGetLong(made);
    }

    @Override
    public void free(int slot) {
      Vma.nvmaVirtualFree(block, allocations[slot]);
    }
  }
}
