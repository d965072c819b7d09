package io.cistern.vulkan;

import static org.lwjgl.vulkan.VK10.VK_ACCESS_HOST_READ_BIT;
import static org.lwjgl.vulkan.VK10.VK_ACCESS_HOST_WRITE_BIT;
import static org.lwjgl.vulkan.VK10.VK_ACCESS_MEMORY_READ_BIT;
import static org.lwjgl.vulkan.VK10.VK_ACCESS_MEMORY_WRITE_BIT;
import static org.lwjgl.vulkan.VK10.VK_BUFFER_USAGE_TRANSFER_DST_BIT;
import static org.lwjgl.vulkan.VK10.VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
import static org.lwjgl.vulkan.VK10.VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
import static org.lwjgl.vulkan.VK10.VK_PIPELINE_STAGE_HOST_BIT;
import static org.lwjgl.vulkan.VK10.vkCmdCopyBuffer;
import static org.lwjgl.vulkan.VK10.vkCmdPipelineBarrier;

import java.lang.foreign.MemorySegment;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkBufferCopy;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkMemoryBarrier;

/**
 * Copies between the host and memory that it does not see, through a piece of memory that it does.
 *
 * <p>One copy at a time; larger ones go piece by piece. Each waits for its end, and stands between
 * barriers on all memory: what the device wrote before is seen, and so is what was copied.
 */
final class CopyQueue {

  private static final long PIECE_BYTE_SIZE = 1L << 20;

  /** What a buffer over a block needs, to be copied from and to. */
  static final int USAGE = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

  private final QueueCommands commands;
  private final VulkanCalls calls;
  private final CoveredMemory staging;
  private final MemorySegment piece;

  private CopyQueue(
      QueueCommands commands, VulkanCalls calls, CoveredMemory staging, MemorySegment piece) {
    this.commands = commands;
    this.calls = calls;
    this.staging = staging;
    this.piece = piece;
  }

  /** Makes the piece of memory, and what is given to the queue. */
  static CopyQueue open(DeviceSetup setup, DeviceSetup.Queue queue) throws VulkanRefusal {
    MemoryType type = MemoryTypes.forStaging(setup.limits(), setup.name());
    VulkanCalls calls = setup.calls();
    QueueCommands commands = QueueCommands.open(queue, calls);
    try {
      CoveredMemory staging = CoveredMemory.make(calls, PIECE_BYTE_SIZE, type);
      try {
        return new CopyQueue(commands, calls, staging, map(calls, staging));
      } catch (VulkanRefusal e) {
        staging.end(calls);
        throw e;
      }
    } catch (VulkanRefusal e) {
      commands.close();
      throw e;
    }
  }

  @SuppressWarnings("restricted") // The memory is mapped until it is freed, with this.
  private static MemorySegment map(VulkanCalls calls, CoveredMemory staging) throws VulkanRefusal {
    return MemorySegment.ofAddress(calls.map(staging.memory())).reinterpret(PIECE_BYTE_SIZE);
  }

  /** Copies from a buffer over a block to the host. */
  synchronized void read(long source, long byteOffset, MemorySegment target) throws VulkanRefusal {
    for (long done = 0; done < target.byteSize(); done += PIECE_BYTE_SIZE) {
      long byteSize = Math.min(PIECE_BYTE_SIZE, target.byteSize() - done);
      copy(source, byteOffset + done, staging.buffer(), 0, byteSize);
      MemorySegment.copy(piece, 0, target, done, byteSize);
    }
  }

  /** Copies from the host to a buffer over a block. */
  synchronized void write(long target, long byteOffset, MemorySegment source) throws VulkanRefusal {
    for (long done = 0; done < source.byteSize(); done += PIECE_BYTE_SIZE) {
      long byteSize = Math.min(PIECE_BYTE_SIZE, source.byteSize() - done);
      MemorySegment.copy(source, done, piece, 0, byteSize);
      copy(staging.buffer(), 0, target, byteOffset + done, byteSize);
    }
  }

  private void copy(long from, long fromOffset, long to, long toOffset, long byteSize)
      throws VulkanRefusal {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkBufferCopy.Buffer range =
          VkBufferCopy.calloc(1, stack).srcOffset(fromOffset).dstOffset(toOffset).size(byteSize);
      commands.run(
          recorded -> {
            barrier(recorded, stack);
            vkCmdCopyBuffer(recorded, from, to, range);
            barrier(recorded, stack);
          });
    }
  }

  /** What was written before is seen by what comes after, on the device and the host. */
  private static void barrier(VkCommandBuffer recorded, MemoryStack stack) {
    VkMemoryBarrier.Buffer all =
        VkMemoryBarrier.calloc(1, stack)
            .sType$Default()
            .srcAccessMask(VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_WRITE_BIT)
            .dstAccessMask(
                VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT);
    int stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT;
    vkCmdPipelineBarrier(recorded, stages, stages, 0, all, null, null);
  }

  /** Ends all that was made. */
  synchronized void close() {
    staging.end(calls);
    commands.close();
  }
}
