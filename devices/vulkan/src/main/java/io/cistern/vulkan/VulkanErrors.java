package io.cistern.vulkan;

import io.cistern.DeviceMemoryException;
import io.cistern.DeviceMemoryException.Reason;
import java.util.List;
import java.util.stream.Collectors;

/** The errors of this package, each saying what was asked, what was possible, and who refused. */
final class VulkanErrors {

  private VulkanErrors() {}

  static IllegalArgumentException noDevice(int index, int count) {
    return new IllegalArgumentException(
        "there is no device vulkan:" + index + ", only " + count + " of that kind");
  }

  static IllegalArgumentException noDevices(int index, String why) {
    return new IllegalArgumentException("there is no device vulkan:" + index + ": " + why);
  }

  static IllegalArgumentException notOpened(String device, VulkanRefusal cause) {
    return new IllegalArgumentException(
        "device \"" + device + "\" can't be opened: " + cause.getMessage(), cause);
  }

  static IllegalArgumentException noQueue(String device) {
    return new IllegalArgumentException(
        "device \"" + device + "\" has no queue that takes compute and transfer work");
  }

  static IllegalArgumentException tooOld(String device) {
    return new IllegalArgumentException(
        "device \"" + device + "\" is opened for Vulkan 1.0, and 1.1 is needed");
  }

  static IllegalArgumentException noMemoryType(
      String device, String setting, String value, List<MemoryType> types) {
    return new IllegalArgumentException(
        "device \""
            + device
            + "\" has no memory for the setting \""
            + setting
            + "="
            + value
            + "\"; its memory types are "
            + types.stream().map(MemoryType::toString).collect(Collectors.joining(", ")));
  }

  static IllegalArgumentException twoMemories() {
    return new IllegalArgumentException(
        "the settings \"memory\" and \"memory-type\" both choose the memory; one of them is to go");
  }

  static IllegalArgumentException badDeviceAlignment(String device, long alignment, long least) {
    return new IllegalArgumentException(
        "device \""
            + device
            + "\" aligns to a power of two of at least "
            + least
            + " bytes, not to "
            + alignment
            + " bytes");
  }

  static DeviceMemoryException overBudget(
      String device, long asked, int heap, HeapBudget.State state) {
    return new DeviceMemoryException(
        "device \""
            + device
            + "\" is out of memory: asked for "
            + asked
            + " bytes, of heap "
            + heap
            + "'s budget of "
            + state.budget()
            + " bytes "
            + state.used()
            + " are used",
        asked,
        Reason.OUT_OF_MEMORY);
  }

  static DeviceMemoryException refused(
      String device, String what, long byteSize, VulkanRefusal cause) {
    return new DeviceMemoryException(
        "device \""
            + device
            + "\" can't "
            + what
            + " "
            + byteSize
            + " bytes: "
            + cause.getMessage(),
        byteSize,
        VulkanResults.reason(cause.result()),
        cause);
  }

  static DeviceMemoryException inAccess(VulkanBlock block, IllegalStateException cause) {
    return new DeviceMemoryException(
        block.device()
            + " can't take "
            + block
            + " back while it is accessed: "
            + cause.getMessage(),
        block.byteSize(),
        Reason.IN_USE,
        cause);
  }

  static IllegalStateException givenBack(VulkanBlock block) {
    return new IllegalStateException(block.device() + " has " + block + " back already");
  }

  static UnsupportedOperationException noAddress(VulkanBlock block) {
    return new UnsupportedOperationException(
        block.device() + " has no addresses; a slice is bound by its block's memory and an offset");
  }

  static UnsupportedOperationException noHostAccess(VulkanBlock block) {
    return new UnsupportedOperationException(
        block.device()
            + " has memory that the host does not see; read and write copy, and the setting"
            + " \"memory=host-visible\" chooses memory that it sees");
  }

  static UnsupportedOperationException noCopies(VulkanBlock block) {
    return new UnsupportedOperationException(
        block.device()
            + " was opened without a queue, and its memory is not seen by the host; a storage that"
            + " is opened with a queue copies");
  }

  static UnsupportedOperationException noCopiesOfDedicated(VulkanBlock block) {
    return new UnsupportedOperationException(
        block.device()
            + " binds one resource alone to "
            + block
            + ", which the host does not see, so none to copy by; commands copy the resource");
  }

  static IllegalArgumentException otherMemoryType(
      String device, MemoryType type, VulkanRequirements requirements) {
    return new IllegalArgumentException(
        "device \""
            + device
            + "\" was opened for memory type "
            + type
            + ", and a resource of these needs is bound to types 0b"
            + Integer.toBinaryString(requirements.memoryTypeBits())
            + " alone");
  }

  static IllegalArgumentException needsDedicated(String device, VulkanRequirements requirements) {
    return new IllegalArgumentException(
        "device \""
            + device
            + "\" wants memory of its own for this resource of "
            + requirements.byteSize()
            + " bytes; createDedicated and bindDedicated give it that");
  }

  static IllegalArgumentException needsDeviceAddress() {
    return new IllegalArgumentException(
        "blocks are not made for VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT: a slice is bound by its"
            + " block's memory and an offset");
  }

  static IllegalArgumentException noBufferSize(long byteSize) {
    return new IllegalArgumentException("a buffer has at least 1 byte, not " + byteSize);
  }

  static IllegalArgumentException otherStorage(VulkanStorage storage, VulkanBlock block) {
    return new IllegalArgumentException(
        "the manager's pools are not on this storage of device \""
            + storage.properties().name()
            + "\": they gave "
            + block);
  }

  static IllegalStateException resourceClosed(String resource) {
    return new IllegalStateException(resource + " is closed already");
  }

  static IllegalStateException openedWithoutQueue(String device) {
    return new IllegalStateException("device \"" + device + "\" was opened without a queue");
  }

  static IllegalArgumentException noTimeline() {
    return new IllegalArgumentException(
        "the device was made without timeline semaphores: neither Vulkan 1.2 nor"
            + " VK_KHR_timeline_semaphore");
  }
}
