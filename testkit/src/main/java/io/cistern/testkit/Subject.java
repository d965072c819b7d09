package io.cistern.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Feature;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** A storage under test: blocks of many sizes, written and verified where the host can. */
final class Subject {

  private final Storage storage;
  private final DeviceProperties device;

  Subject(Storage storage) {
    this.storage = storage;
    this.device = storage.properties();
  }

  /** Small, odd, around the alignment, and large sizes, in bytes. */
  long[] sizes() {
    long granule = device.byteAlignment();
    return new long[] {1, 3, Math.max(1, granule - 1), granule, granule + 1, 65_536, 1_048_589};
  }

  /** A block of each size. */
  List<StorageBlock> blocks() {
    List<StorageBlock> blocks = new ArrayList<>();
    for (long byteSize : sizes()) {
      blocks.add(storage.allocate(byteSize));
    }
    return blocks;
  }

  /** Writes a pattern into each block. */
  void writeAll(List<StorageBlock> blocks) {
    for (int i = 0; i < blocks.size(); i++) {
      write(blocks.get(i), i);
    }
  }

  /** Verifies what {@link #writeAll} wrote. */
  void verifyAll(List<StorageBlock> blocks) {
    for (int i = 0; i < blocks.size(); i++) {
      verify(blocks.get(i), i);
    }
  }

  void write(StorageBlock block, long seed) {
    if (device.has(Feature.HOST_ACCESS)) {
      Patterns.write(block.segment(), seed);
    } else if (device.has(Feature.COPY)) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment copy = arena.allocate(block.byteSize());
        Patterns.write(copy, seed);
        block.write(0, copy);
      }
    }
  }

  void verify(StorageBlock block, long seed) {
    if (device.has(Feature.HOST_ACCESS)) {
      Patterns.verify(block.segment(), seed);
    } else if (device.has(Feature.COPY)) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment copy = arena.allocate(block.byteSize());
        block.read(0, copy);
        Patterns.verify(copy, seed);
      }
    }
  }

  static void assertEnded(MemorySegment segment) {
    assertThat(segment.scope().isAlive()).isFalse();
    assertThatIllegalStateException().isThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0));
  }
}
