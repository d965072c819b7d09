package io.cistern.storage;

import io.cistern.AllocationException;
import io.cistern.DeviceMemoryException;
import io.cistern.LeakSite;
import io.cistern.LiveAllocation;
import io.cistern.MemoryFault;
import io.cistern.config.MemoryPoolsConfig;
import java.util.List;

/** Something that happened in a manager. Pools are named by their index in routing order. */
public sealed interface MemoryEvent {

  /**
   * A pool got a page or a block from the driver.
   *
   * @param pool the pool
   * @param byteSize the page's size in bytes
   */
  record PageMade(int pool, long byteSize) implements MemoryEvent {}

  /**
   * A pool gave a page or a block back to the driver.
   *
   * @param pool the pool
   * @param byteSize the page's size in bytes
   */
  record PageGivenBack(int pool, long byteSize) implements MemoryEvent {}

  /**
   * The driver did not take a page back; the pool keeps it and tries again later.
   *
   * @param pool the pool
   * @param byteSize the page's size in bytes
   * @param cause what the driver said
   */
  record PageKept(int pool, long byteSize, DeviceMemoryException cause) implements MemoryEvent {}

  /**
   * A full capped pool passed a request on to a later one.
   *
   * @param pool the full pool
   * @param byteSize the request in bytes
   * @param first whether it is the first spill of this pool since the layout was installed
   */
  record Spilled(int pool, long byteSize, boolean first) implements MemoryEvent {}

  /**
   * A request was served. Only told to listeners that want {@linkplain MemoryListener#wantsRequests
   * each request}.
   *
   * @param pool the pool that served it
   * @param byteSize the request in bytes
   */
  record Served(int pool, long byteSize) implements MemoryEvent {}

  /**
   * The last handle of an allocation was closed. Only told to listeners that want {@linkplain
   * MemoryListener#wantsRequests each request}.
   *
   * @param pool the pool that had served it
   * @param byteSize the request in bytes
   */
  record Released(int pool, long byteSize) implements MemoryEvent {}

  /**
   * A request was refused.
   *
   * @param byteSize the request in bytes
   * @param error what the caller got
   */
  record Refused(long byteSize, AllocationException error) implements MemoryEvent {}

  /**
   * Bytes were found written that nobody may write. Told where bytes are watched; also logged.
   *
   * @param fault what was found
   */
  record FaultFound(MemoryFault fault) implements MemoryEvent {}

  /**
   * A watched handle became unreachable without being closed; its memory is not used again. Told
   * where handles are watched for leaks; also logged.
   *
   * @param site where it was made
   */
  record HandleLost(LeakSite site) implements MemoryEvent {}

  /**
   * An explicit cleanup ended.
   *
   * @param byteSize the bytes that went back to the driver
   */
  record CleanedUp(long byteSize) implements MemoryEvent {}

  /**
   * Another layout was installed.
   *
   * @param pools what was asked for
   */
  record Installed(MemoryPoolsConfig pools) implements MemoryEvent {}

  /**
   * A manager was closed.
   *
   * @param liveAllocations allocations that nobody had closed
   * @param liveBytes their requested bytes
   * @param live what is known of each, in the order of their requests
   */
  record Closed(long liveAllocations, long liveBytes, List<LiveAllocation> live)
      implements MemoryEvent {
    /** Makes the event; the list is copied. */
    public Closed {
      live = List.copyOf(live);
    }
  }
}
