/** Flight Recorder events of memory pools, which no other tool of the JVM shows. */
module io.cistern.jfr {
  requires static org.jspecify;
  requires transitive io.cistern.core;
  requires jdk.jfr;

  exports io.cistern.jfr;
}
