package io.cistern.storage;

import io.cistern.DeviceMemoryException;
import io.cistern.DeviceMemoryException.Reason;
import io.cistern.MemorySize;

/** The errors of this package, each saying what was asked, what was possible, and who refused. */
final class StorageErrors {

  private StorageErrors() {}

  static DeviceMemoryException outOfMemory(String device, long asked, long out, long capacity) {
    return new DeviceMemoryException(
        "device \""
            + device
            + "\" is out of memory: asked for "
            + asked
            + " bytes, of "
            + capacity
            + " bytes "
            + out
            + " are out",
        asked,
        Reason.OUT_OF_MEMORY);
  }

  static DeviceMemoryException blockTooLarge(String device, long asked, long largest) {
    return new DeviceMemoryException(
        "device \""
            + device
            + "\" gives blocks of at most "
            + largest
            + " bytes: asked for "
            + asked
            + " bytes",
        asked,
        Reason.BLOCK_TOO_LARGE);
  }

  static DeviceMemoryException tooManyBlocks(String device, long asked, long most) {
    return new DeviceMemoryException(
        "device \""
            + device
            + "\" gives at most "
            + most
            + " blocks at once, and all are out: asked for "
            + asked
            + " bytes",
        asked,
        Reason.TOO_MANY_BLOCKS);
  }

  static IllegalArgumentException foreignBlock(String device, StorageBlock block) {
    return new IllegalArgumentException(
        "device \"" + device + "\" did not make " + block + ", or has it back already");
  }

  static IllegalArgumentException noSize(long byteSize) {
    return new IllegalArgumentException("a block has at least 1 byte, not " + byteSize);
  }

  static IllegalArgumentException noSetting(String kind, String name, String... known) {
    return new IllegalArgumentException(
        "a device of kind "
            + kind
            + " has no setting \""
            + name
            + "\", "
            + (known.length == 0 ? "and no other" : "only " + String.join(", ", known)));
  }

  static IllegalArgumentException badSetting(String name, String value, String values) {
    return new IllegalArgumentException(
        "the setting \"" + name + "\" is one of " + values + ", not \"" + value + "\"");
  }

  static IllegalStateException closed(String device) {
    return new IllegalStateException("the storage of device \"" + device + "\" is closed");
  }

  static IllegalArgumentException noDevice(String kind, int index, int count) {
    return new IllegalArgumentException(
        "there is no device " + kind + ":" + index + ", only " + count + " of that kind");
  }

  static IllegalArgumentException badAlignment(long alignment) {
    return new IllegalArgumentException(
        "an alignment is a power of two, at least 1, not " + alignment);
  }

  static UnsupportedOperationException noAddress(String device) {
    return new UnsupportedOperationException(
        "device \"" + device + "\" has no addresses; a slice is known by its block and offset");
  }

  static UnsupportedOperationException noHostAccess(String device, MemorySize size) {
    return new UnsupportedOperationException(
        "device \"" + device + "\" has addresses and no memory, so no segment of " + size);
  }
}
