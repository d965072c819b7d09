package io.cistern.storage;

/** What a device can do beyond giving blocks, or can't do that others can. */
public enum Feature {
  /** Blocks can be read and written by the host: {@link StorageBlock#segment()} works. */
  HOST_ACCESS,
  /** Blocks have a fixed address: {@link StorageBlock#address()} works. */
  ADDRESS,
  /** A block can't be shared between slices, so sliced pools are not available. */
  EXCLUSIVE_MEMORY_ONLY
}
