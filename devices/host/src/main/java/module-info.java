/**
 * Host memory as a device: pages of off-heap memory, and arenas that take their segments from them.
 *
 * <p>Needs {@code --enable-native-access=io.cistern.ffi,io.cistern.host}; on the class path {@code
 * --enable-native-access=ALL-UNNAMED}. Without it the JVM prints a warning on the first use, or
 * refuses with an {@link IllegalCallerException} where it is told to.
 */
module io.cistern.host {
  requires transitive io.cistern.core;
  requires io.cistern.ffi;
  requires jdk.management;
  requires static org.jspecify;

  exports io.cistern.host;

  provides io.cistern.storage.StorageProvider with
      io.cistern.host.HostStorageProvider;
}
