package io.cistern.conformance.devices;

import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.Allocation;
import io.cistern.manager.DeviceMemory;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageBlock;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceReader;
import io.cistern.trace.file.Traces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where the allocations of a trace stand, in the order of their requests. */
final class Places {

  /**
   * One of them.
   *
   * @param block which of the blocks, by the order in which they were first seen
   */
  private record Place(long line, long byteSize, int pool, int block, long byteOffset) {}

  private final List<Place> places = new ArrayList<>();

  // By identity: what a block is equal to is the device's own affair.
  private final IdentityHashMap<StorageBlock, Integer> blocks = new IdentityHashMap<>();

  private Places() {}

  /** Runs a trace, a manager for each of its streams. */
  static Places of(Path trace, Storage storage, MemoryPoolsConfig pools) throws IOException {
    Places places = new Places();
    try (DeviceMemory memory = DeviceMemory.open(storage, pools);
        TraceReader reader = Traces.open(trace, TraceFaults.strict(trace.toString()))) {
      Map<Long, Allocation> live = new HashMap<>();
      while (reader.next()) {
        if (reader.isAllocation()) {
          Allocation allocation = memory.stream(reader.stream()).allocate(reader.byteSize());
          live.put(reader.id(), allocation);
          places.add(reader.line(), allocation);
        } else {
          live.remove(reader.id()).close();
        }
      }
      live.values().forEach(Allocation::close);
    }
    return places;
  }

  private void add(long line, Allocation allocation) {
    long byteSize = allocation.byteSize();
    int block = -1;
    if (byteSize > 0) {
      block = blocks.computeIfAbsent(allocation.block(), _ -> blocks.size());
    }
    places.add(new Place(line, byteSize, allocation.pool(), block, allocation.byteOffset()));
  }

  /** The first place that is another in these than in others, with both. */
  Optional<String> firstDifference(Places others) {
    int count = Math.min(places.size(), others.places.size());
    for (int i = 0; i < count; i++) {
      if (!places.get(i).equals(others.places.get(i))) {
        return Optional.of(places.get(i) + " is not " + others.places.get(i));
      }
    }
    return places.size() == others.places.size()
        ? Optional.empty()
        : Optional.of(places.size() + " places are not " + others.places.size());
  }
}
