/**
 * Declarative memory pools for device and off-heap memory: pools, layouts, managers, and the waist
 * to a device.
 */
module io.cistern.core {
  requires static org.jspecify;

  exports io.cistern;
  exports io.cistern.config;
  exports io.cistern.layout;
  exports io.cistern.manager;
  exports io.cistern.storage;

  uses io.cistern.storage.StorageProvider;

  provides io.cistern.storage.StorageProvider with
      io.cistern.storage.SimulatedStorageProvider;
}
