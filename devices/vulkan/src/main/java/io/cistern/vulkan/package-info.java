/**
 * Vulkan memory as a device ({@link io.cistern.vulkan.VulkanStorage}), buffers and images on slices
 * of it ({@link io.cistern.vulkan.VulkanBuffer}, {@link io.cistern.vulkan.VulkanImage}), and
 * Vulkan's fences and semaphores as what pools wait for ({@link io.cistern.vulkan.VulkanFence}).
 *
 * <p>Handles are Vulkan's own, as LWJGL has them: {@code long} for objects, {@code VkDevice} and
 * {@code VkQueue} for what commands are given to.
 */
@NullMarked
package io.cistern.vulkan;

import org.jspecify.annotations.NullMarked;
