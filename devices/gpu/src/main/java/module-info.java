/**
 * What CUDA and HIP share: blocks of device, stream-ordered, pinned and managed memory, streams,
 * fences, and graphs over pooled slices. A program names {@code io.cistern.cuda} or {@code
 * io.cistern.hip}, which bring this.
 *
 * <p>Needs {@code --enable-native-access=io.cistern.ffi,io.cistern.gpu}; on the class path {@code
 * --enable-native-access=ALL-UNNAMED}.
 */
@SuppressWarnings("module") // The modules that may use the driver's table are compiled after it.
module io.cistern.gpu {
  requires transitive io.cistern.core;
  requires io.cistern.ffi;
  requires jdk.management;
  requires static org.jspecify;

  exports io.cistern.gpu;
  exports io.cistern.gpu.driver to
      io.cistern.cuda,
      io.cistern.hip;
}
