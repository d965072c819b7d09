package io.cistern.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.Storage;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** A handle copies bytes of its own slice, and of no other. */
class HandleCopiesTest {

  private static final MemoryPoolsConfig POOLS =
      MemoryPoolsConfig.of(MemoryPoolConfig.sliced(MemorySize.ofKiB(64)));

  private static MemorySegment bytes(int count, int value) {
    return MemorySegment.ofArray(new byte[count]).fill((byte) value);
  }

  @Test
  void copiesStayWithinTheSlice() {
    try (Storage storage = BytesStorage.of(16, 64);
        MemoryManager memory = MemoryManager.open(storage, POOLS);
        Allocation left = memory.allocate(100);
        Allocation middle = memory.allocate(100);
        Allocation right = memory.allocate(100)) {
      left.write(0, bytes(100, 1));
      right.write(0, bytes(100, 3));
      middle.write(0, bytes(100, 2));
      middle.write(40, bytes(10, 9));
      MemorySegment found = bytes(30, 0);
      middle.read(30, found);
      assertThat(found.asSlice(0, 10).mismatch(bytes(10, 2))).isEqualTo(-1);
      assertThat(found.asSlice(10, 10).mismatch(bytes(10, 9))).isEqualTo(-1);
      assertThat(found.asSlice(20, 10).mismatch(bytes(10, 2))).isEqualTo(-1);
      assertThat(left.segment().mismatch(bytes(100, 1))).isEqualTo(-1);
      assertThat(right.segment().mismatch(bytes(100, 3))).isEqualTo(-1);
      for (long offset : new long[] {-1, 91, 100, Long.MAX_VALUE}) {
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
            .isThrownBy(() -> middle.write(offset, bytes(10, 0)));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
            .isThrownBy(() -> middle.read(offset, bytes(10, 0)));
      }
    }
  }

  @Test
  void aZeroSizedOneHasNothingToCopy() {
    try (Storage storage = BytesStorage.of(16, 64);
        MemoryManager memory = MemoryManager.open(storage, POOLS);
        Allocation nothing = memory.allocate(0)) {
      nothing.write(0, bytes(0, 0));
      nothing.read(0, bytes(0, 0));
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> nothing.read(0, bytes(1, 0)));
    }
  }

  @Test
  void aClosedHandleCopiesNothing() {
    try (Storage storage = BytesStorage.of(16, 64);
        MemoryManager memory = MemoryManager.open(storage, POOLS)) {
      Allocation gone = memory.allocate(10);
      gone.close();
      assertThatIllegalStateException().isThrownBy(() -> gone.read(0, bytes(1, 0)));
      assertThatIllegalStateException().isThrownBy(() -> gone.write(0, bytes(1, 0)));
    }
  }

  @Test
  void aDeviceWithoutBytesSaysSo() {
    try (Storage storage = SimulatedStorage.withCapacity(MemorySize.ofMiB(1));
        MemoryManager memory = MemoryManager.open(storage, POOLS);
        Allocation slice = memory.allocate(10)) {
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> slice.read(0, bytes(1, 0)))
          .withMessageContaining("simulated device");
    }
  }
}
