/** The {@code cistern} command line. */
module io.cistern.cli {
  requires static org.jspecify;
  requires io.cistern.core;
  requires io.cistern.toml;
  requires io.cistern.trace;
  requires com.fasterxml.jackson.core;
  requires info.picocli;

  opens io.cistern.cli to
      info.picocli;

  uses io.cistern.storage.StorageProvider;
}
