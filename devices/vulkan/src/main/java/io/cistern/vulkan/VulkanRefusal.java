package io.cistern.vulkan;

/** Vulkan refused; never seen outside of this package. */
@SuppressWarnings("serial") // Never serialised: it does not leave the package.
final class VulkanRefusal extends Exception {

  private final int result;

  /** A call that gave a {@code VkResult} other than success. */
  VulkanRefusal(String call, int result) {
    super(call + " gives " + VulkanResults.toText(result));
    this.result = result;
  }

  int result() {
    return result;
  }
}
