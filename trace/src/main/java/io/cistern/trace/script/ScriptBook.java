package io.cistern.trace.script;

import io.cistern.MemoryUsage;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The script's own account of what is live, against which the managers' totals are checked: nothing
 * of it comes from them. O(live slices) a check.
 */
final class ScriptBook {

  private final Set<ScriptSlice> live = new HashSet<>();
  private final TreeMap<Long, ScriptSlice> byAddress = new TreeMap<>();

  void allocated(ScriptSlice slice) {
    live.add(slice);
  }

  /** A handle was closed. */
  void closed(ScriptSlice slice) {
    slice.handles--;
    if (slice.handles == 0) {
      live.remove(slice);
    }
  }

  /**
   * A slice lies at an address; says who has memory of it, if anybody has whose it still is.
   *
   * @param address in bytes, above 0
   */
  Optional<String> placed(ScriptSlice slice, long address) {
    if (slice.address == address || slice.byteSize == 0) {
      return Optional.empty();
    }
    Map.Entry<Long, ScriptSlice> other = byAddress.lowerEntry(address + slice.byteSize);
    while (other != null && other.getKey() + other.getValue().byteSize > address) {
      if (!other.getValue().mayBeUsedAgain()) {
        return Optional.of(other.getValue().name);
      }
      byAddress.remove(other.getKey());
      other = byAddress.lowerEntry(address + slice.byteSize);
    }
    slice.address = address;
    byAddress.put(address, slice);
    return Optional.empty();
  }

  /**
   * Checks totals.
   *
   * @return what is wrong with them, if anything is
   */
  Optional<String> check(MemoryUsage usage) {
    long inUse = usage.inUse().bytes() - usage.pinned().bytes();
    long bytes = live.stream().mapToLong(slice -> slice.byteSize).sum();
    if (inUse != bytes) {
      return Optional.of(
          "in use are " + inUse + " bytes beside pinned ones, of open handles " + bytes);
    }
    if (usage.allocations() < live.size()) {
      return Optional.of(
          usage.allocations() + " allocations are live, handles are open on " + live.size());
    }
    long used = usage.inUse().bytes() + usage.padding().bytes() + usage.pending().bytes();
    if (used > usage.reserved().bytes()) {
      return Optional.of(
          "in use, padding and pending are "
              + used
              + " bytes, reserved are "
              + usage.reserved().bytes());
    }
    return Optional.empty();
  }
}
