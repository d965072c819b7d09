/** Allocation traces: readers, replay on a layout of pools, reports. */
module io.cistern.trace {
  requires static transitive org.jspecify;
  requires transitive io.cistern.core;
  requires transitive com.fasterxml.jackson.core;

  exports io.cistern.trace;
}
