package io.cistern.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.lwjgl.vulkan.VK10.VK_ACCESS_TRANSFER_READ_BIT;
import static org.lwjgl.vulkan.VK10.VK_ACCESS_TRANSFER_WRITE_BIT;
import static org.lwjgl.vulkan.VK10.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
import static org.lwjgl.vulkan.VK10.VK_BUFFER_USAGE_TRANSFER_DST_BIT;
import static org.lwjgl.vulkan.VK10.VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
import static org.lwjgl.vulkan.VK10.VK_ERROR_OUT_OF_DEVICE_MEMORY;
import static org.lwjgl.vulkan.VK10.VK_IMAGE_ASPECT_COLOR_BIT;
import static org.lwjgl.vulkan.VK10.VK_IMAGE_LAYOUT_GENERAL;
import static org.lwjgl.vulkan.VK10.VK_IMAGE_LAYOUT_UNDEFINED;
import static org.lwjgl.vulkan.VK10.VK_IMAGE_TILING_LINEAR;
import static org.lwjgl.vulkan.VK10.VK_IMAGE_TILING_OPTIMAL;
import static org.lwjgl.vulkan.VK10.VK_PIPELINE_STAGE_TRANSFER_BIT;
import static org.lwjgl.vulkan.VK10.VK_QUEUE_FAMILY_IGNORED;
import static org.lwjgl.vulkan.VK10.vkCmdCopyBuffer;
import static org.lwjgl.vulkan.VK10.vkCmdCopyBufferToImage;
import static org.lwjgl.vulkan.VK10.vkCmdCopyImageToBuffer;
import static org.lwjgl.vulkan.VK10.vkCmdFillBuffer;
import static org.lwjgl.vulkan.VK10.vkCmdPipelineBarrier;
import static org.lwjgl.vulkan.VK10.vkDestroyImage;
import static org.lwjgl.vulkan.VK10.vkQueueSubmit;

import io.cistern.DeviceMemoryException;
import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.MemoryManager;
import io.cistern.testkit.Patterns;
import io.cistern.vulkan.CountingCalls.Counted;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkBufferCopy;
import org.lwjgl.vulkan.VkBufferImageCopy;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkImageMemoryBarrier;
import org.lwjgl.vulkan.VkMemoryBarrier;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSubmitInfo;
import org.lwjgl.vulkan.VkTimelineSemaphoreSubmitInfo;

/** The device works on several slices of one page, and reaches no byte beyond them. */
class DeviceWorkTest {

  private static final int USAGE =
      VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
          | VK_BUFFER_USAGE_TRANSFER_SRC_BIT
          | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

  private static final MemoryPoolsConfig ONE_PAGE =
      MemoryPoolsConfig.of(
          MemoryPoolConfig.sliced(MemorySize.ofMiB(4)).withMaxPoolSize(MemorySize.ofMiB(4)));

  @BeforeEach
  void needADevice() {
    Lavapipe.need();
  }

  private static Counted open(boolean seen) {
    UnaryOperator<DeviceSetup> change = seen ? UnaryOperator.identity() : Lavapipe::unseen;
    return CountingCalls.open(Lavapipe.OPTIONS, change);
  }

  private static byte[] bytes(VulkanBuffer buffer) {
    byte[] found = new byte[Math.toIntExact(buffer.byteSize())];
    buffer.read(0, MemorySegment.ofArray(found));
    return found;
  }

  private static void fill(VulkanBuffer buffer, long seed) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(buffer.byteSize());
      Patterns.write(bytes, seed);
      buffer.write(0, bytes);
    }
  }

  private static void verify(VulkanBuffer buffer, long seed) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(buffer.byteSize());
      buffer.read(0, bytes);
      Patterns.verify(bytes, seed);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void transfersReachTheirSlicesAlone(boolean seen) {
    try (Counted counted = open(seen);
        MemoryManager manager = MemoryManager.open(counted.storage(), ONE_PAGE)) {
      List<VulkanBuffer> buffers = new ArrayList<>();
      for (int i = 0; i < 9; i++) {
        buffers.add(VulkanBuffer.create(counted.storage(), manager, 4000 + 4L * i, USAGE));
        fill(buffers.get(i), i);
      }
      assertThat(buffers.stream().map(VulkanBuffer::block).distinct()).hasSize(1);
      Gpu.run(
          counted.storage(),
          commands -> {
            // Every third is filled, and every third copied to the one behind it.
            for (int i = 0; i < 9; i += 3) {
              vkCmdFillBuffer(commands, buffers.get(i).buffer(), 0, 4000 + 4L * i, 0x0b0b0b0b);
              copy(commands, buffers.get(i + 1), buffers.get(i + 2), 4000);
            }
          });
      for (int i = 0; i < 9; i += 3) {
        assertThat(bytes(buffers.get(i))).containsOnly(0x0b);
        verify(buffers.get(i + 1), i + 1);
        byte[] copied = bytes(buffers.get(i + 2));
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment expected = arena.allocate(copied.length);
          Patterns.write(expected, i + 2);
          MemorySegment source = arena.allocate(buffers.get(i + 1).byteSize());
          Patterns.write(source, i + 1);
          MemorySegment.copy(source, 0, expected, 0, 4000);
          assertThat(expected.mismatch(MemorySegment.ofArray(copied))).isEqualTo(-1);
        }
      }
      buffers.forEach(VulkanBuffer::close);
    }
  }

  private static void copy(
      VkCommandBuffer commands, VulkanBuffer from, VulkanBuffer to, long byteSize) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkBufferCopy.Buffer range = VkBufferCopy.calloc(1, stack).size(byteSize);
      vkCmdCopyBuffer(commands, from.buffer(), to.buffer(), range);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aShaderReadsOneSliceAndWritesAnother(boolean seen) {
    int numbers = 1024;
    try (Counted counted = open(seen);
        MemoryManager manager = MemoryManager.open(counted.storage(), ONE_PAGE);
        VulkanBuffer before = VulkanBuffer.create(counted.storage(), manager, 300, USAGE);
        VulkanBuffer source = VulkanBuffer.create(counted.storage(), manager, 4L * numbers, USAGE);
        VulkanBuffer between = VulkanBuffer.create(counted.storage(), manager, 300, USAGE);
        VulkanBuffer target = VulkanBuffer.create(counted.storage(), manager, 4L * numbers, USAGE);
        VulkanBuffer behind = VulkanBuffer.create(counted.storage(), manager, 300, USAGE);
        ComputePass pass =
            new ComputePass(counted.storage().device(), source.buffer(), target.buffer());
        Arena arena = Arena.ofConfined()) {
      fill(before, 1);
      fill(source, 2);
      fill(between, 3);
      fill(target, 4);
      fill(behind, 5);
      Gpu.run(counted.storage(), commands -> pass.record(commands, numbers));
      MemorySegment in = arena.allocate(4L * numbers, 4);
      MemorySegment out = arena.allocate(4L * numbers, 4);
      source.read(0, in);
      target.read(0, out);
      for (int x = 0; x < numbers; x++) {
        int number = in.getAtIndex(ValueLayout.JAVA_INT, x);
        assertThat(out.getAtIndex(ValueLayout.JAVA_INT, x)).isEqualTo(number * 3 + x);
      }
      verify(before, 1);
      verify(source, 2);
      verify(between, 3);
      verify(behind, 5);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {VK_IMAGE_TILING_LINEAR, VK_IMAGE_TILING_OPTIMAL})
  void anImageLiesBesideBuffers(int tiling) {
    try (Counted counted = open(true);
        MemoryManager manager = MemoryManager.open(counted.storage(), ONE_PAGE);
        VulkanBuffer source = VulkanBuffer.create(counted.storage(), manager, 37 * 11 * 4, USAGE);
        VulkanImage image =
            VulkanImage.bind(
                counted.storage(),
                manager,
                Gpu.createImage(counted.storage().device(), 37, 11, tiling));
        VulkanBuffer target = VulkanBuffer.create(counted.storage(), manager, 37 * 11 * 4, USAGE)) {
      assertThat(image.block()).isSameAs(source.block()).isSameAs(target.block());
      fill(source, 1);
      fill(target, 2);
      Gpu.run(
          counted.storage(),
          commands -> throughImage(commands, source.buffer(), image.image(), target.buffer()));
      verify(source, 1);
      verify(target, 1);
    }
  }

  private static void throughImage(VkCommandBuffer commands, long from, long image, long to) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkBufferImageCopy.Buffer whole = VkBufferImageCopy.calloc(1, stack);
      whole.imageSubresource().aspectMask(VK_IMAGE_ASPECT_COLOR_BIT).layerCount(1);
      whole.imageExtent().set(37, 11, 1);
      VkImageMemoryBarrier.Buffer toGeneral =
          VkImageMemoryBarrier.calloc(1, stack)
              .sType$Default()
              .dstAccessMask(VK_ACCESS_TRANSFER_WRITE_BIT)
              .oldLayout(VK_IMAGE_LAYOUT_UNDEFINED)
              .newLayout(VK_IMAGE_LAYOUT_GENERAL)
              .srcQueueFamilyIndex(VK_QUEUE_FAMILY_IGNORED)
              .dstQueueFamilyIndex(VK_QUEUE_FAMILY_IGNORED)
              .image(image);
      toGeneral.subresourceRange().aspectMask(VK_IMAGE_ASPECT_COLOR_BIT).levelCount(1);
      toGeneral.subresourceRange().layerCount(1);
      int stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
      vkCmdPipelineBarrier(commands, stage, stage, 0, null, null, toGeneral);
      vkCmdCopyBufferToImage(commands, from, image, VK_IMAGE_LAYOUT_GENERAL, whole);
      VkMemoryBarrier.Buffer written =
          VkMemoryBarrier.calloc(1, stack)
              .sType$Default()
              .srcAccessMask(VK_ACCESS_TRANSFER_WRITE_BIT)
              .dstAccessMask(VK_ACCESS_TRANSFER_READ_BIT);
      vkCmdPipelineBarrier(commands, stage, stage, 0, written, null, null);
      vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_GENERAL, to, whole);
    }
  }

  @Test
  void imagesEndWithTheirOwner() {
    try (Counted counted = open(true)) {
      MemoryManager manager = MemoryManager.open(counted.storage(), ONE_PAGE);
      VulkanImage left = VulkanImage.bind(counted.storage(), manager, newImage(counted.storage()));
      VulkanImage closed =
          VulkanImage.bind(counted.storage(), manager, newImage(counted.storage()));
      VulkanImage own = VulkanImage.bindDedicated(counted.storage(), newImage(counted.storage()));
      assertThat(counted.calls().dedications.getLast().image()).isEqualTo(own.image());
      closed.close();
      own.close();
      assertThat(counted.calls().imagesDestroyed).isEqualTo(2);
      manager.close();
      left.close();
      assertThat(counted.calls().imagesDestroyed).isEqualTo(3);
    }
  }

  @Test
  void anImageThatIsNotBoundStaysTheCallers() {
    try (Counted counted = open(true);
        MemoryManager manager = MemoryManager.open(counted.storage(), ONE_PAGE)) {
      long image = newImage(counted.storage());
      counted.calls().refuse("vkBindImageMemory", VK_ERROR_OUT_OF_DEVICE_MEMORY);
      assertThatExceptionOfType(DeviceMemoryException.class)
          .isThrownBy(() -> VulkanImage.bind(counted.storage(), manager, image))
          .withMessageContaining("vkBindImageMemory gives VK_ERROR_OUT_OF_DEVICE_MEMORY (-2)");
      assertThat(counted.calls().imagesDestroyed).isZero();
      assertThat(manager.usage().inUse()).isEqualTo(MemorySize.ZERO);
      vkDestroyImage(counted.storage().device(), image, null);
    }
  }

  private static long newImage(VulkanStorage storage) {
    return Gpu.createImage(storage.device(), 16, 16, VK_IMAGE_TILING_OPTIMAL);
  }

  /** The work waits until the host lets it go, so that it runs for as long as the test wants. */
  @Test
  void aSliceIsReleasedWhileTheDeviceWorksOnIt() throws Exception {
    try (Counted counted = open(true);
        Gpu.Timeline start = new Gpu.Timeline(counted.storage().device());
        Gpu.Timeline done = new Gpu.Timeline(counted.storage().device());
        MemoryManager manager = MemoryManager.open(counted.storage(), ONE_PAGE);
        VulkanBuffer source = VulkanBuffer.create(counted.storage(), manager, 4096, USAGE)) {
      VulkanStorage storage = counted.storage();
      fill(source, 1);
      VulkanBuffer target = VulkanBuffer.create(storage, manager, 4096, USAGE);
      fill(target, 2);
      MemorySegment seen = target.segment();
      long offset = target.byteOffset();
      DeviceSetup.Queue queue = new DeviceSetup.Queue(storage.queue(), storage.queueFamily());
      QueueCommands commands =
          QueueCommands.open(
              queue,
              new VulkanCalls(storage.device()) {
                @Override
                void submit(VkQueue to, VkSubmitInfo work, long fence) {
                  submitBetween(to, work, start.handle(), done.handle());
                }

                @Override
                void await(long fence) {}
              });
      commands.run(recorded -> copy(recorded, source, target, 4096));
      VulkanFence copied = done.at(1);
      target.usedUntil(copied);
      target.close();
      assertThat(counted.calls().buffers).hasSize(2);
      VulkanBuffer neighbour = VulkanBuffer.create(storage, manager, 4096, USAGE);
      fill(neighbour, 3);
      assertThat(neighbour.byteOffset()).isNotEqualTo(offset);
      Patterns.verify(seen, 2);
      assertThat(copied.hasPassed()).isFalse();
      start.signal(1);
      assertThat(copied.await(Duration.ofMinutes(1))).isTrue();
      Patterns.verify(seen, 1);
      verify(neighbour, 3);
      neighbour.close();
      assertThat(counted.calls().buffers).containsExactly(source.buffer());
      try (VulkanBuffer next = VulkanBuffer.create(storage, manager, 4096, USAGE)) {
        assertThat(next.byteOffset()).isEqualTo(offset);
      }
      commands.close();
    }
  }

  private static void submitBetween(VkQueue queue, VkSubmitInfo work, long start, long done) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkTimelineSemaphoreSubmitInfo values =
          VkTimelineSemaphoreSubmitInfo.calloc(stack)
              .sType$Default()
              .waitSemaphoreValueCount(1)
              .pWaitSemaphoreValues(stack.longs(1))
              .signalSemaphoreValueCount(1)
              .pSignalSemaphoreValues(stack.longs(1));
      work.pNext(values)
          .waitSemaphoreCount(1)
          .pWaitSemaphores(stack.longs(start))
          .pWaitDstStageMask(stack.ints(VK_PIPELINE_STAGE_TRANSFER_BIT))
          .pSignalSemaphores(stack.longs(done));
      Gpu.check(vkQueueSubmit(queue, work, 0));
    }
  }
}
