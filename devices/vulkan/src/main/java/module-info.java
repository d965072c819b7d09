/**
 * Vulkan devices: blocks of one memory type, and buffers and images that are bound to slices of
 * them.
 *
 * <p>Needs {@code --enable-native-access=org.lwjgl,io.cistern.vulkan}; on the class path {@code
 * --enable-native-access=ALL-UNNAMED}. At run time LWJGL's native library stands beside its
 * classes, and the system has a Vulkan loader and a driver; without them there are no devices.
 */
module io.cistern.vulkan {
  requires transitive io.cistern.core;
  requires org.lwjgl;
  requires transitive org.lwjgl.vulkan;
  requires static org.jspecify;

  exports io.cistern.vulkan;

  provides io.cistern.storage.StorageProvider with
      io.cistern.vulkan.VulkanStorageProvider;
}
