package io.cistern.manager;

import io.cistern.DeviceMemoryException;
import io.cistern.layout.PoolLayout;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.StorageBlock;
import java.time.Duration;

/** The errors of misuse in this package. */
final class ManagerErrors {

  private ManagerErrors() {}

  static IllegalStateException handleClosed(int pool) {
    return new IllegalStateException("this handle is closed already; pool " + pool + " served it");
  }

  static IllegalStateException managerClosed(String name) {
    return new IllegalStateException("the memory manager \"" + name + "\" is closed");
  }

  static IllegalStateException managerEnding(String name) {
    return new IllegalStateException(
        "the memory manager \"" + name + "\" serves nothing any more: its stream has ended");
  }

  static IllegalStateException installInCapture() {
    return new IllegalStateException("a layout can't be installed while a capture is under way");
  }

  static IllegalArgumentException negativeWait(Duration atMost) {
    return new IllegalArgumentException("a wait takes at least no time, not " + atMost);
  }

  static IllegalStateException deviceMemoryClosed() {
    return new IllegalStateException("this device memory is closed");
  }

  static DeviceMemoryException pagesKept(long byteSize) {
    return new DeviceMemoryException(
        "the layout stays: the device did not take " + byteSize + " bytes of free pages back",
        byteSize,
        DeviceMemoryException.Reason.DRIVER_FAILED);
  }

  static IllegalStateException staleHandle(long handle) {
    return new IllegalStateException(
        "the handle 0x" + Long.toHexString(handle) + " is closed, or is none of this manager's");
  }

  static IllegalStateException tooManyForHandles(int most) {
    return new IllegalStateException(
        "the pool has more than "
            + most
            + " slices, which is all that handles can tell apart; allocate objects instead");
  }

  static IllegalStateException noBlock() {
    return new IllegalStateException("a zero-sized allocation has no block");
  }

  static IllegalArgumentException otherBlockType(Class<?> asked, StorageBlock block) {
    return new IllegalArgumentException(
        "the block is a " + block.getClass().getName() + ", not a " + asked.getName());
  }

  static IllegalArgumentException negativeSize(long byteSize) {
    return new IllegalArgumentException("a request has at least 0 bytes, not " + byteSize);
  }

  static IllegalArgumentException badAlignment(long alignment) {
    return new IllegalArgumentException(
        "an alignment is a power of two, at least 1, not " + alignment);
  }

  static IllegalArgumentException confinedStream() {
    return new IllegalArgumentException(
        "a stream of a device memory can't be confined to a thread: the totals are of all streams");
  }

  static IllegalArgumentException bytesOutOfReach(DeviceProperties device) {
    return new IllegalArgumentException(
        "poison, red zones and zeroing need a device with host access, which \""
            + device.name()
            + "\" has not");
  }

  static IllegalArgumentException lendsNothing(DeviceProperties device) {
    return new IllegalArgumentException(
        "check needs a device that can lend segments, which \""
            + device.name()
            + "\" can't; host memory can");
  }

  static IllegalArgumentException alignmentTooLarge(long alignment, long blockAlignment) {
    return new IllegalArgumentException(
        "the alignment "
            + alignment
            + " is above "
            + blockAlignment
            + ", which is all that the device promises for the start of a block");
  }

  static IllegalArgumentException otherLayout(PoolLayout layout, PoolLayout measured) {
    return new IllegalArgumentException(
        "a plan for " + layout + " can't be made of a run on " + measured);
  }

  static IllegalArgumentException measuredUncapped(int pool) {
    return new IllegalArgumentException(
        "pool "
            + pool
            + " was measured without a cap, and with one it accepts no near-page sizes:"
            + " measure with the layout that MeasuredPlan.toMeasure gives");
  }
}
