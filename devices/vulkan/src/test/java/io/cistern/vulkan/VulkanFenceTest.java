package io.cistern.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.lwjgl.vulkan.VK10.VK_ERROR_DEVICE_LOST;
import static org.lwjgl.vulkan.VK10.VK_ERROR_OUT_OF_HOST_MEMORY;
import static org.lwjgl.vulkan.VK10.VK_FENCE_CREATE_SIGNALED_BIT;
import static org.lwjgl.vulkan.VK10.VK_NOT_READY;
import static org.lwjgl.vulkan.VK10.VK_SUCCESS;
import static org.lwjgl.vulkan.VK10.VK_TIMEOUT;
import static org.lwjgl.vulkan.VK10.vkCreateFence;
import static org.lwjgl.vulkan.VK10.vkDestroyFence;
import static org.lwjgl.vulkan.VK10.vkQueueSubmit;

import java.nio.LongBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkFenceCreateInfo;
import org.lwjgl.vulkan.VkSubmitInfo;

/** A fence says what the driver says, once passed stays so, and asks no more then. */
class VulkanFenceTest {

  private static final Duration SHORT = Duration.ofMillis(30);
  private static final Duration LONG = Duration.ofMinutes(1);

  @Test
  void aFencePassesWhenTheQueueIsDone() throws Exception {
    try (VulkanStorage storage = Lavapipe.open(Lavapipe.OPTIONS)) {
      long handle = createFence(storage.device(), 0);
      VulkanFence fence = VulkanFence.of(storage.device(), handle);
      assertThat(fence.hasPassed()).isFalse();
      assertThat(fence.await(SHORT)).isFalse();
      assertThat(fence.await(Duration.ofSeconds(-1))).isFalse();
      try (VkSubmitInfo nothing = VkSubmitInfo.calloc().sType$Default()) {
        Gpu.check(vkQueueSubmit(storage.queue(), nothing, handle));
      }
      assertThat(fence.await(LONG)).isTrue();
      assertThat(fence.hasPassed()).isTrue();
      // It is not asked again, or this would be the end.
      vkDestroyFence(storage.device(), handle, null);
      assertThat(fence.hasPassed()).isTrue();
      assertThat(fence.await(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
    }
  }

  @Test
  void aFenceThatIsSignalledHasPassed() {
    try (VulkanStorage storage = Lavapipe.open(Lavapipe.OPTIONS)) {
      long handle = createFence(storage.device(), VK_FENCE_CREATE_SIGNALED_BIT);
      assertThat(VulkanFence.of(storage.device(), handle).hasPassed()).isTrue();
      vkDestroyFence(storage.device(), handle, null);
    }
  }

  private static long createFence(VkDevice device, int flags) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      LongBuffer made = stack.mallocLong(1);
      VkFenceCreateInfo info = VkFenceCreateInfo.calloc(stack).sType$Default().flags(flags);
      Gpu.check(vkCreateFence(device, info, null, made));
      return made.get(0);
    }
  }

  @Test
  void aTimelinePassesAtItsValue() throws Exception {
    try (VulkanStorage storage = Lavapipe.open(Lavapipe.OPTIONS);
        Gpu.Timeline timeline = new Gpu.Timeline(storage.device())) {
      VulkanFence second = timeline.at(2);
      VulkanFence third = timeline.at(3);
      assertThat(second.hasPassed()).isFalse();
      timeline.signal(1);
      assertThat(second.await(SHORT)).isFalse();
      Thread later =
          Thread.ofPlatform()
              .start(
                  () -> {
                    sleepShortly();
                    timeline.signal(2);
                  });
      assertThat(second.await(LONG)).isTrue();
      later.join();
      assertThat(third.hasPassed()).isFalse();
      timeline.signal(7);
      assertThat(third.hasPassed()).isTrue();
      assertThat(timeline.at(-1).hasPassed()).as("the largest value").isFalse();
    }
  }

  private static void sleepShortly() {
    try {
      Thread.sleep(30);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aWaitEndsWithAnInterrupt() {
    try (VulkanStorage storage = Lavapipe.open(Lavapipe.OPTIONS);
        Gpu.Timeline timeline = new Gpu.Timeline(storage.device())) {
      Thread waiter = Thread.currentThread();
      Thread other =
          Thread.ofPlatform()
              .start(
                  () -> {
                    sleepShortly();
                    waiter.interrupt();
                  });
      assertThatExceptionOfType(InterruptedException.class)
          .isThrownBy(() -> timeline.at(1).await(LONG));
      assertThat(Thread.interrupted()).isFalse();
      assertThat(other).isNotNull();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {VK_SUCCESS, VK_ERROR_DEVICE_LOST})
  void whatIsDoneOrLostHasPassedAndIsNotAskedAgain(int result) throws Exception {
    Answers answers = new Answers(result);
    VulkanFence fence = new VulkanFence(answers);
    assertThat(fence.hasPassed()).isTrue();
    assertThat(fence.hasPassed()).isTrue();
    assertThat(fence.await(LONG)).isTrue();
    assertThat(answers.asked).isOne();
  }

  @ParameterizedTest
  @ValueSource(ints = {VK_ERROR_OUT_OF_HOST_MEMORY, -424242})
  void whatFailsHasNotPassedAndEndsAWait(int result) throws Exception {
    VulkanFence fence = new VulkanFence(new Answers(result));
    assertThat(fence.hasPassed()).isFalse();
    assertThat(fence.await(LONG)).isFalse();
  }

  @Test
  void aDeviceThatIsLostInAWaitEndsIt() throws Exception {
    Answers answers = new Answers(VK_NOT_READY);
    answers.waited = VK_ERROR_DEVICE_LOST;
    VulkanFence fence = new VulkanFence(answers);
    assertThat(fence.hasPassed()).isFalse();
    assertThat(fence.await(LONG)).isTrue();
    assertThat(fence.hasPassed()).isTrue();
  }

  /** A driver's answers that no driver here gives on demand. */
  private static final class Answers implements VulkanFence.Signal {
    private final int result;
    private int waited;
    private int asked;

    Answers(int result) {
      this.result = result;
      this.waited = result == VK_NOT_READY ? VK_TIMEOUT : result;
    }

    @Override
    public int ask() {
      asked++;
      return result;
    }

    @Override
    public int await(long nanos) {
      return waited;
    }
  }
}
