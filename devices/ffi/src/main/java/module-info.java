/**
 * What the native devices share: libraries, downcalls, error codes. Internal: for Cistern's own
 * device modules, and no part of what Cistern promises to others.
 *
 * <p>Needs {@code --enable-native-access=io.cistern.ffi}; on the class path {@code ALL-UNNAMED}
 * instead of the module's name.
 */
@SuppressWarnings("module") // The modules that may use this are compiled after it.
module io.cistern.ffi {
  requires static org.jspecify;

  exports io.cistern.ffi to
      io.cistern.gpu,
      io.cistern.host,
      io.cistern.opencl;
}
