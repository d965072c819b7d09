package io.cistern.vulkan;

import static org.lwjgl.system.MemoryUtil.NULL;
import static org.lwjgl.vulkan.KHRTimelineSemaphore.vkGetSemaphoreCounterValueKHR;
import static org.lwjgl.vulkan.KHRTimelineSemaphore.vkWaitSemaphoresKHR;
import static org.lwjgl.vulkan.VK10.VK_ERROR_DEVICE_LOST;
import static org.lwjgl.vulkan.VK10.VK_NOT_READY;
import static org.lwjgl.vulkan.VK10.VK_SUCCESS;
import static org.lwjgl.vulkan.VK10.VK_TIMEOUT;
import static org.lwjgl.vulkan.VK10.vkGetFenceStatus;
import static org.lwjgl.vulkan.VK10.vkWaitForFences;
import static org.lwjgl.vulkan.VK12.vkGetSemaphoreCounterValue;
import static org.lwjgl.vulkan.VK12.vkWaitSemaphores;

import io.cistern.storage.Fence;
import java.nio.LongBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VKCapabilitiesDevice;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkSemaphoreWaitInfo;

/**
 * A {@code VkFence}, or a value of a timeline semaphore, as what a pool waits for. Safe for many
 * threads.
 *
 * <p>The driver's object stays the caller's, who neither resets nor destroys it before {@link
 * #hasPassed} or {@link #await} has said that it has passed; from then on the driver is not asked
 * any more. A device that is lost does no more work, so everything counts as passed on it. Other
 * failures of the driver count as not passed yet, and end a wait.
 */
public final class VulkanFence implements Fence {

  /** How long a driver's wait goes on before the thread's interrupt is looked at. */
  private static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Signal signal;
  private volatile boolean passed;

  /** How to ask the driver, and how to wait; both give a {@code VkResult}. */
  interface Signal {
    int ask();

    int await(long nanos);
  }

  VulkanFence(Signal signal) {
    this.signal = signal;
  }

  /**
   * A fence that a queue signals.
   *
   * @param device whose fence it is
   * @param fence a {@code VkFence} that is given to a queue, or will be
   */
  public static VulkanFence of(VkDevice device, long fence) {
    return new VulkanFence(
        new Signal() {
          @Override
          public int ask() {
            return vkGetFenceStatus(device, fence);
          }

          @Override
          public int await(long nanos) {
            return vkWaitForFences(device, fence, true, nanos);
          }
        });
  }

  /**
   * A timeline semaphore that reaches a value.
   *
   * @param device whose semaphore it is; its feature {@code timelineSemaphore} is enabled
   * @param semaphore a {@code VkSemaphore} of type {@code VK_SEMAPHORE_TYPE_TIMELINE}
   * @param value the value, as an unsigned number
   * @throws IllegalArgumentException if the device was made without timeline semaphores
   */
  public static VulkanFence ofTimeline(VkDevice device, long semaphore, long value) {
    VKCapabilitiesDevice known = device.getCapabilities();
    boolean isCore = known.vkGetSemaphoreCounterValue != NULL;
    if (!isCore && known.vkGetSemaphoreCounterValueKHR == NULL) {
      throw VulkanErrors.noTimeline();
    }
    return new VulkanFence(new Timeline(device, semaphore, value, isCore));
  }

  private record Timeline(VkDevice device, long semaphore, long value, boolean isCore)
      implements Signal {

    @Override
    public int ask() {
      try (MemoryStack stack = MemoryStack.stackPush()) {
        LongBuffer now = stack.callocLong(1);
        int result =
            isCore
                ? vkGetSemaphoreCounterValue(device, semaphore, now)
                : vkGetSemaphoreCounterValueKHR(device, semaphore, now);
        boolean early = Long.compareUnsigned(now.get(0), value) < 0;
        return result == VK_SUCCESS && early ? VK_NOT_READY : result;
      }
    }

    @Override
    public int await(long nanos) {
      try (MemoryStack stack = MemoryStack.stackPush()) {
        VkSemaphoreWaitInfo info =
            VkSemaphoreWaitInfo.calloc(stack)
                .sType$Default()
                .semaphoreCount(1)
                .pSemaphores(stack.longs(semaphore))
                .pValues(stack.longs(value));
        return isCore
            ? vkWaitSemaphores(device, info, nanos)
            : vkWaitSemaphoresKHR(device, info, nanos);
      }
    }
  }

  /** Whether the device's work has come this far, or the device is lost. */
  @Override
  public boolean hasPassed() {
    return passed || note(signal.ask());
  }

  private boolean note(int result) {
    if (result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST) {
      passed = true;
      return true;
    }
    return false;
  }

  /**
   * Waits until the device's work has come this far, or the device is lost.
   *
   * @param atMost how long to wait
   * @return whether it has come this far; false also if the driver fails
   * @throws InterruptedException if the thread is interrupted, which is seen within 10 ms
   */
  @Override
  public boolean await(Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + nanos(atMost);
    while (!hasPassed()) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      long left = end - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      int result = signal.await(Math.min(left, LONGEST_WAIT_NANOS));
      if (!note(result) && result != VK_TIMEOUT) {
        return false;
      }
    }
    return true;
  }

  /** A duration within a hundred years, so that clocks can be compared. */
  private static long nanos(Duration duration) {
    Duration most = Duration.ofDays(36_525);
    return duration.compareTo(most) < 0 ? Math.max(0, duration.toNanos()) : most.toNanos();
  }
}
