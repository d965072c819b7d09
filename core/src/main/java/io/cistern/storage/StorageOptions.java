package io.cistern.storage;

import io.cistern.MemorySize;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which device of a kind to open, and what to change about it.
 *
 * @param index the device, from 0
 * @param byteAlignment the alignment of slices in bytes; empty: the device's own
 * @param maxPageSize the hint for presets; empty: a quarter of the memory
 * @param capacity a limit on the bytes handed out at once; empty: the device's memory
 */
public record StorageOptions(
    int index,
    OptionalLong byteAlignment,
    Optional<MemorySize> maxPageSize,
    Optional<MemorySize> capacity) {

  /** The first device of a kind, as it is. */
  public static final StorageOptions DEFAULT =
      new StorageOptions(0, OptionalLong.empty(), Optional.empty(), Optional.empty());

  /** These options for another device. */
  public StorageOptions withIndex(int device) {
    return new StorageOptions(device, byteAlignment, maxPageSize, capacity);
  }

  /** These options with an alignment of slices, in bytes. */
  public StorageOptions withByteAlignment(long alignment) {
    return new StorageOptions(index, OptionalLong.of(alignment), maxPageSize, capacity);
  }

  /** These options with a hint for presets. */
  public StorageOptions withMaxPageSize(MemorySize size) {
    return new StorageOptions(index, byteAlignment, Optional.of(size), capacity);
  }

  /** These options with a limit on the bytes handed out at once. */
  public StorageOptions withCapacity(MemorySize size) {
    return new StorageOptions(index, byteAlignment, maxPageSize, Optional.of(size));
  }
}
