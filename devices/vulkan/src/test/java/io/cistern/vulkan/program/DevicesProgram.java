package io.cistern.vulkan.program;

import io.cistern.storage.DeviceInfo;
import io.cistern.storage.DeviceList;
import io.cistern.storage.StorageOptions;
import io.cistern.vulkan.VulkanStorage;
import io.cistern.vulkan.VulkanStorageProvider;

/** Tells what devices there are, or why there are none, and what an open of the first gives. */
public final class DevicesProgram {

  private DevicesProgram() {}

  /**
   * Run in a JVM of its own.
   *
   * @param args none
   */
  public static void main(String[] args) {
    DeviceList list = new VulkanStorageProvider().devices();
    System.out.println("none: " + list.whyNone());
    for (DeviceInfo device : list.devices()) {
      System.out.println("found: " + device.properties().name());
    }
    try (VulkanStorage storage = VulkanStorage.open(StorageOptions.DEFAULT)) {
      storage.allocate(4096);
      System.out.println("opened: " + storage.properties().name());
    } catch (IllegalArgumentException e) {
      System.out.println("refused: " + e.getMessage());
    }
  }
}
