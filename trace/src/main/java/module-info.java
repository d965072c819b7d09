/** Allocation traces: readers, replay on a layout of pools, search of layouts, reports. */
module io.cistern.trace {
  requires static transitive org.jspecify;
  requires transitive io.cistern.core;
  requires transitive com.fasterxml.jackson.core;
  requires com.github.luben.zstd_jni;
  requires jdk.jfr;

  exports io.cistern.trace;
  exports io.cistern.trace.file;
  exports io.cistern.trace.picture;
  exports io.cistern.trace.replay;
  exports io.cistern.trace.report;
  exports io.cistern.trace.script;
  exports io.cistern.trace.search;
}
