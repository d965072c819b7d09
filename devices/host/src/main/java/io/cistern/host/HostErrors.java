package io.cistern.host;

import io.cistern.AllocationException;
import io.cistern.DeviceMemoryException;
import io.cistern.DeviceMemoryException.Reason;
import io.cistern.MemorySize;
import io.cistern.storage.DeviceProperties;

/** The errors of this package, each saying what was asked, what was possible, and who refused. */
final class HostErrors {

  private static final String DEVICE = "device \"" + HostStorage.DEVICE_NAME + "\"";

  private HostErrors() {}

  static IllegalArgumentException noDevice(int index) {
    return new IllegalArgumentException(
        "there is no device "
            + HostStorageProvider.NAME
            + ":"
            + index
            + ", only "
            + HostStorageProvider.NAME
            + ":0");
  }

  static IllegalArgumentException badDeviceAlignment(long alignment, long least) {
    return new IllegalArgumentException(
        DEVICE
            + " aligns to a power of two of at least "
            + least
            + " bytes, not to "
            + alignment
            + " bytes");
  }

  static DeviceMemoryException outOfMemory(
      long asked, MemorySize out, MemorySize capacity, OsRefusal cause) {
    return new DeviceMemoryException(
        DEVICE
            + " is out of memory: asked for "
            + asked
            + " bytes, of "
            + capacity.bytes()
            + " bytes "
            + out.bytes()
            + " are out; "
            + cause.getMessage(),
        asked,
        Reason.OUT_OF_MEMORY,
        cause);
  }

  static DeviceMemoryException inAccess(HostBlock block, IllegalStateException cause) {
    return new DeviceMemoryException(
        DEVICE + " can't take " + block + " back while it is accessed: " + cause.getMessage(),
        block.byteSize(),
        Reason.IN_USE,
        cause);
  }

  static DeviceMemoryException inArena(HostBlock block, int leases) {
    return new DeviceMemoryException(
        DEVICE + " can't take " + block + " back: slices of it in open arenas: " + leases,
        block.byteSize(),
        Reason.IN_USE);
  }

  static DeviceMemoryException notTaken(HostBlock block, OsRefusal cause) {
    return new DeviceMemoryException(
        DEVICE + " can't take " + block + " back: " + cause.getMessage(),
        block.byteSize(),
        Reason.DRIVER_FAILED,
        cause);
  }

  static IllegalStateException givenBack(HostBlock block) {
    return new IllegalStateException(DEVICE + " has " + block + " back already");
  }

  static IllegalArgumentException noHostAccess(DeviceProperties device) {
    return new IllegalArgumentException(
        "an arena needs a manager of host memory, not of device \"" + device.name() + "\"");
  }

  static IllegalArgumentException negativeSize(long byteSize) {
    return new IllegalArgumentException("a size is at least 0 bytes, not " + byteSize);
  }

  static IllegalArgumentException badAlignment(long byteAlignment) {
    return new IllegalArgumentException(
        "an alignment is a power of two, at least 1, not " + byteAlignment);
  }

  static IllegalArgumentException alignmentTooLarge(long byteAlignment, long largest) {
    return new IllegalArgumentException(
        "pages start at multiples of " + largest + " bytes, so not at any of " + byteAlignment);
  }

  /** What callers of an arena expect when memory runs out. */
  static OutOfMemoryError outOfMemory(AllocationException cause) {
    OutOfMemoryError error = new OutOfMemoryError(cause.getMessage());
    error.initCause(cause);
    return error;
  }

  static IllegalStateException unexpected(String call, Throwable cause) {
    return new IllegalStateException(call + " can't be called", cause);
  }
}
