package io.cistern.storage;

import java.lang.foreign.Arena;

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
  /**
   * Segments of a block can end before the block: {@link StorageBlock#segment(long, long, Arena)}
   * works.
   */
  LENDING,
  /** A block can't be shared between slices, so sliced pools are not available. */
  EXCLUSIVE_MEMORY_ONLY
}
