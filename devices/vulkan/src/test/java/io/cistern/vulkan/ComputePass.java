package io.cistern.vulkan;

import static org.lwjgl.vulkan.VK10.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
import static org.lwjgl.vulkan.VK10.VK_PIPELINE_BIND_POINT_COMPUTE;
import static org.lwjgl.vulkan.VK10.VK_SHADER_STAGE_COMPUTE_BIT;
import static org.lwjgl.vulkan.VK10.VK_WHOLE_SIZE;
import static org.lwjgl.vulkan.VK10.vkAllocateDescriptorSets;
import static org.lwjgl.vulkan.VK10.vkCmdBindDescriptorSets;
import static org.lwjgl.vulkan.VK10.vkCmdBindPipeline;
import static org.lwjgl.vulkan.VK10.vkCmdDispatch;
import static org.lwjgl.vulkan.VK10.vkCreateComputePipelines;
import static org.lwjgl.vulkan.VK10.vkCreateDescriptorPool;
import static org.lwjgl.vulkan.VK10.vkCreateDescriptorSetLayout;
import static org.lwjgl.vulkan.VK10.vkCreatePipelineLayout;
import static org.lwjgl.vulkan.VK10.vkCreateShaderModule;
import static org.lwjgl.vulkan.VK10.vkDestroyDescriptorPool;
import static org.lwjgl.vulkan.VK10.vkDestroyDescriptorSetLayout;
import static org.lwjgl.vulkan.VK10.vkDestroyPipeline;
import static org.lwjgl.vulkan.VK10.vkDestroyPipelineLayout;
import static org.lwjgl.vulkan.VK10.vkDestroyShaderModule;
import static org.lwjgl.vulkan.VK10.vkUpdateDescriptorSets;

import java.nio.LongBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkComputePipelineCreateInfo;
import org.lwjgl.vulkan.VkDescriptorBufferInfo;
import org.lwjgl.vulkan.VkDescriptorPoolCreateInfo;
import org.lwjgl.vulkan.VkDescriptorPoolSize;
import org.lwjgl.vulkan.VkDescriptorSetAllocateInfo;
import org.lwjgl.vulkan.VkDescriptorSetLayoutBinding;
import org.lwjgl.vulkan.VkDescriptorSetLayoutCreateInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkPipelineLayoutCreateInfo;
import org.lwjgl.vulkan.VkPipelineShaderStageCreateInfo;
import org.lwjgl.vulkan.VkShaderModuleCreateInfo;
import org.lwjgl.vulkan.VkWriteDescriptorSet;

/** {@link ComputeShader} at work on two buffers. */
final class ComputePass implements AutoCloseable {

  private final VkDevice device;
  private final long setLayout;
  private final long layout;
  private final long module;
  private final long pipeline;
  private final long pool;
  private final long set;

  ComputePass(VkDevice device, long source, long target) {
    this.device = device;
    try (MemoryStack stack = MemoryStack.stackPush()) {
      LongBuffer made = stack.mallocLong(1);
      VkDescriptorSetLayoutBinding.Buffer bindings = VkDescriptorSetLayoutBinding.calloc(2, stack);
      for (int binding = 0; binding < 2; binding++) {
        bindings
            .get(binding)
            .binding(binding)
            .descriptorType(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
            .descriptorCount(1)
            .stageFlags(VK_SHADER_STAGE_COMPUTE_BIT);
      }
      Gpu.check(
          vkCreateDescriptorSetLayout(
              device,
              VkDescriptorSetLayoutCreateInfo.calloc(stack).sType$Default().pBindings(bindings),
              null,
              made));
      setLayout = made.get(0);
      Gpu.check(
          vkCreatePipelineLayout(
              device,
              VkPipelineLayoutCreateInfo.calloc(stack)
                  .sType$Default()
                  .setLayoutCount(1)
                  .pSetLayouts(stack.longs(setLayout)),
              null,
              made));
      layout = made.get(0);
      Gpu.check(
          vkCreateShaderModule(
              device,
              VkShaderModuleCreateInfo.calloc(stack).sType$Default().pCode(ComputeShader.code()),
              null,
              made));
      module = made.get(0);
      pipeline = createPipeline(stack, made);
      pool = createPool(stack, made);
      Gpu.check(
          vkAllocateDescriptorSets(
              device,
              VkDescriptorSetAllocateInfo.calloc(stack)
                  .sType$Default()
                  .descriptorPool(pool)
                  .pSetLayouts(stack.longs(setLayout)),
              made));
      set = made.get(0);
      bind(0, source, stack);
      bind(1, target, stack);
    }
  }

  private long createPipeline(MemoryStack stack, LongBuffer made) {
    VkComputePipelineCreateInfo.Buffer info =
        VkComputePipelineCreateInfo.calloc(1, stack)
            .sType$Default()
            .stage(
                VkPipelineShaderStageCreateInfo.calloc(stack)
                    .sType$Default()
                    .stage(VK_SHADER_STAGE_COMPUTE_BIT)
                    .module(module)
                    .pName(stack.UTF8("main")))
            .layout(layout);
    Gpu.check(vkCreateComputePipelines(device, 0, info, null, made));
    return made.get(0);
  }

  private long createPool(MemoryStack stack, LongBuffer made) {
    VkDescriptorPoolSize.Buffer sizes =
        VkDescriptorPoolSize.calloc(1, stack)
            .type(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
            .descriptorCount(2);
    VkDescriptorPoolCreateInfo info =
        VkDescriptorPoolCreateInfo.calloc(stack).sType$Default().maxSets(1).pPoolSizes(sizes);
    Gpu.check(vkCreateDescriptorPool(device, info, null, made));
    return made.get(0);
  }

  private void bind(int binding, long buffer, MemoryStack stack) {
    VkDescriptorBufferInfo.Buffer whole =
        VkDescriptorBufferInfo.calloc(1, stack).buffer(buffer).range(VK_WHOLE_SIZE);
    VkWriteDescriptorSet.Buffer write =
        VkWriteDescriptorSet.calloc(1, stack)
            .sType$Default()
            .dstSet(set)
            .dstBinding(binding)
            .descriptorCount(1)
            .descriptorType(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
            .pBufferInfo(whole);
    vkUpdateDescriptorSets(device, write, null);
  }

  /** Records the pass over the first numbers, whole groups of them. */
  void record(VkCommandBuffer commands, int numbers) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vkCmdBindDescriptorSets(
          commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, stack.longs(set), null);
      vkCmdDispatch(commands, numbers / ComputeShader.GROUP, 1, 1);
    }
  }

  @Override
  public void close() {
    vkDestroyDescriptorPool(device, pool, null);
    vkDestroyPipeline(device, pipeline, null);
    vkDestroyShaderModule(device, module, null);
    vkDestroyPipelineLayout(device, layout, null);
    vkDestroyDescriptorSetLayout(device, setLayout, null);
  }
}
