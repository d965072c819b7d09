package io.cistern.storage;

/** What a device can do beyond giving blocks, or can't do that others can. */
public enum Feature {
  /** Blocks can be read and written by the host: {@link StorageBlock#segment()} works. */
  HOST_ACCESS,
  /**
   * Bytes can be copied between blocks and the host: {@link StorageBlock#read} and {@link
   * StorageBlock#write} work. Every device with {@link #HOST_ACCESS} has it.
   */
  COPY,
  /** Blocks have a fixed address: {@link StorageBlock#address()} works. */
  ADDRESS,
  /** A block can't be shared between slices, so sliced pools are not available. */
  EXCLUSIVE_MEMORY_ONLY
}
