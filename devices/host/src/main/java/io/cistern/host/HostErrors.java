package io.cistern.host;

import io.cistern.AllocationException;
import io.cistern.DeviceMemoryException;
import io.cistern.DeviceMemoryException.Reason;
import io.cistern.MemorySize;
import io.cistern.storage.DeviceProperties;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

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

  static IllegalArgumentException badNode(String value) {
    return new IllegalArgumentException(
        "the setting \"numa-node\" is the number of a node, from 0 on, not \"" + value + "\"");
  }

  static IllegalArgumentException twice(Set<String> settings) {
    return new IllegalArgumentException(
        DEVICE
            + " takes settings by name or as HostMemoryOptions, not both; by name: "
            + String.join(", ", new TreeSet<>(settings)));
  }

  static IllegalArgumentException notHere(String setting, String systems, HostSystem system) {
    return new IllegalArgumentException(
        "the setting \"" + setting + "\" needs " + systems + ", this is " + system);
  }

  static IllegalArgumentException noNode(int node, List<Integer> nodes) {
    return new IllegalArgumentException(
        "there is no NUMA node "
            + node
            + " with memory: "
            + (nodes.isEmpty() ? "/" + LinuxFiles.NODES + " names none" : "only " + join(nodes)));
  }

  private static String join(List<Integer> nodes) {
    return nodes.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  static IllegalArgumentException noNodePreference(int node, OsRefusal cause) {
    return new IllegalArgumentException(
        "memory of NUMA node " + node + " can't be preferred here: " + cause.getMessage(), cause);
  }

  static IllegalArgumentException noTransparentHugePages(String when) {
    return new IllegalArgumentException(
        "there are no transparent huge pages: /"
            + LinuxFiles.TRANSPARENT
            + (when.isEmpty() ? " is not there" : " is " + when));
  }

  static IllegalArgumentException noExplicitHugePages() {
    return new IllegalArgumentException(
        "no explicit huge pages are set aside: /" + LinuxFiles.NR_HUGE_PAGES + " is 0 or absent");
  }

  static IllegalArgumentException noHugePageSize(String where) {
    return new IllegalArgumentException(
        "the size of this system's huge pages is not known: there is no " + where);
  }

  static IllegalStateException unexpected(String call, Throwable cause) {
    return new IllegalStateException(call + " can't be called", cause);
  }
}
