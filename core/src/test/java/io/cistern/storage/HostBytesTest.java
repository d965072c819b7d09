package io.cistern.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Heap and native segments reach a driver that knows addresses alone, whatever their size. */
class HostBytesTest {

  private static byte[] random(int count) {
    byte[] bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return bytes;
  }

  @Test
  void bytesOfAnySizeArriveInBothDirections() {
    for (int count : new int[] {0, 1, 1000, 1 << 20, (1 << 20) + 1, (3 << 20) + 17}) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment device = arena.allocate(Math.max(1, count));
        MemorySegment heap = MemorySegment.ofArray(random(count));
        HostBytes.from(heap, (at, piece) -> assertCopied(piece, device, at, true));
        assertThat(device.asSlice(0, count).mismatch(heap)).isEqualTo(-1);

        MemorySegment back = MemorySegment.ofArray(new byte[count]);
        HostBytes.to(back, (at, piece) -> assertCopied(piece, device, at, false));
        assertThat(back.mismatch(heap)).isEqualTo(-1);
      }
    }
  }

  private static void assertCopied(
      MemorySegment piece, MemorySegment device, long at, boolean toDevice) {
    assertThat(piece.isNative()).isTrue();
    MemorySegment there = device.asSlice(at, piece.byteSize());
    if (toDevice) {
      there.copyFrom(piece);
    } else {
      piece.copyFrom(there);
    }
  }

  @Test
  void nativeMemoryIsTakenAsItIs() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment whole = arena.allocate(5 << 20);
      HostBytes.from(whole, (at, piece) -> assertThat(piece).isSameAs(whole));
      HostBytes.to(whole, (at, piece) -> assertThat(piece).isSameAs(whole));
    }
  }
}
