package io.cistern.vulkan;

import io.cistern.storage.DeviceInfo;
import io.cistern.storage.DeviceList;
import io.cistern.storage.StorageOptions;
import io.cistern.storage.StorageProvider;
import java.util.ArrayList;
import java.util.List;
import org.lwjgl.vulkan.VkPhysicalDevice;

/** Finds the devices of Vulkan 1.1 or later. Immutable; safe for many threads. */
public final class VulkanStorageProvider implements StorageProvider {

  static final String NAME = "vulkan";

  /** For {@link java.util.ServiceLoader}. */
  public VulkanStorageProvider() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public DeviceList devices() {
    try (VulkanInstance instance = VulkanInstance.open()) {
      List<DeviceInfo> devices = new ArrayList<>();
      for (VkPhysicalDevice physical : instance.devices()) {
        devices.add(describe(DeviceDescription.of(physical)));
      }
      return DeviceList.of(devices);
    } catch (VulkanInstance.Absent e) {
      return DeviceList.none(e.why());
    }
  }

  private static DeviceInfo describe(DeviceDescription device) {
    return new DeviceInfo(
        VulkanStorage.properties(device.name(), device.limits(), StorageOptions.DEFAULT, true),
        device.driver(),
        device.limits().asMap(),
        MemoryTypes.settings(device.limits()));
  }

  /**
   * Opens a device.
   *
   * @throws IllegalArgumentException as {@link VulkanStorage#open(StorageOptions)} does
   */
  @Override
  public VulkanStorage open(StorageOptions options) {
    return VulkanStorage.open(options);
  }
}
