/** Layout files: the pools that a manager is to have, written in TOML. */
module io.cistern.toml {
  requires static org.jspecify;
  requires transitive io.cistern.core;
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.databind;
  requires com.fasterxml.jackson.dataformat.toml;

  exports io.cistern.toml;
}
