/** What a device's tests are made of: the contract of a storage, and a storage with real bytes. */
module io.cistern.testkit {
  requires transitive io.cistern.core;
  requires static org.jspecify;
  requires org.assertj.core;
  requires transitive org.junit.jupiter.api;

  exports io.cistern.testkit;
}
