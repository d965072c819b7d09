/**
 * CUDA devices: {@link io.cistern.cuda.CudaStorage}.
 *
 * <p>Needs {@code --enable-native-access=io.cistern.ffi,io.cistern.gpu}; on the class path {@code
 * --enable-native-access=ALL-UNNAMED}. Without it the JVM prints a warning on the first use, or
 * refuses with an {@link IllegalCallerException} where it is told to.
 */
module io.cistern.cuda {
  requires transitive io.cistern.gpu;
  requires static org.jspecify;

  exports io.cistern.cuda;

  provides io.cistern.storage.StorageProvider with
      io.cistern.cuda.CudaStorageProvider;
}
