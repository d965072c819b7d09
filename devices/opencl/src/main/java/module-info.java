/**
 * OpenCL devices: buffers and shared virtual memory as blocks, slices as sub-buffers.
 *
 * <p>Needs {@code --enable-native-access=io.cistern.ffi,io.cistern.opencl,org.lwjgl}; on the class
 * path {@code --enable-native-access=ALL-UNNAMED}. The natives of LWJGL must be on the path too.
 */
module io.cistern.opencl {
  requires transitive io.cistern.core;
  requires io.cistern.ffi;
  requires org.lwjgl;
  requires org.lwjgl.opencl;
  requires static org.jspecify;

  exports io.cistern.opencl;

  provides io.cistern.storage.StorageProvider with
      io.cistern.opencl.OpenClStorageProvider;
}
