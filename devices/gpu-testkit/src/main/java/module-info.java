/** A driver without a device, and the tests that CUDA and HIP share. */
module io.cistern.gpu.testkit {
  requires transitive io.cistern.gpu;
  requires transitive io.cistern.testkit;
  requires static org.jspecify;
  requires org.assertj.core;
  requires transitive org.junit.jupiter.params;

  exports io.cistern.gpu.testkit;
}
