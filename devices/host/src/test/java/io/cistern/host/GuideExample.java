package io.cistern.host;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.StorageOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The example of the guide to host memory, which shows what stands between its marks. */
final class GuideExample {

  private GuideExample() {}

  static void run() {
    // guide:begin
    HostMemoryOptions memory = HostMemoryOptions.DEFAULT.withPreTouch(true);
    MemoryPoolsConfig pools = MemoryPoolsConfig.of(MemoryPoolConfig.sliced(MemorySize.ofMiB(4)));
    try (HostStorage storage = HostStorage.open(StorageOptions.DEFAULT, memory);
        MemoryManager manager = MemoryManager.open(storage, pools);
        Allocation numbers = manager.allocate(1000 * Long.BYTES);
        Allocation copy = manager.allocate(1000 * Long.BYTES)) {

      // Fill one slice, copy it to another, read that back.
      MemorySegment segment = numbers.segment();
      for (long i = 0; i < 1000; i++) {
        segment.setAtIndex(ValueLayout.JAVA_LONG, i, i * i);
      }
      copy.segment().copyFrom(segment);
      System.out.println(copy.segment().getAtIndex(ValueLayout.JAVA_LONG, 999));

      // Segments from the same pools, which end together.
      try (Arena arena = PooledArena.ofConfined(manager)) {
        MemorySegment text = arena.allocateFrom("from the pool");
        System.out.println(text.getString(0));
      }
      System.out.println("reserved: " + manager.usage().reserved());
    }
    // guide:end
  }
}
