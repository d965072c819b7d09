package io.cistern.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class SlicePatternTest {

  @Test
  void oneByteThatIsAnotherIsFoundWhereverItIs() {
    for (int size : new int[] {1, 2, 7, 8, 9, 16, 100, 4096, 100_003}) {
      MemorySegment segment = MemorySegment.ofArray(new byte[size]);
      SlicePattern.fill(segment, 42);
      assertThat(SlicePattern.mismatch(segment, 42)).isEqualTo(-1);
      for (int at = 0; at < size; at += Math.max(1, size / 50)) {
        byte was = segment.get(ValueLayout.JAVA_BYTE, at);
        segment.set(ValueLayout.JAVA_BYTE, at, (byte) (was + 1));
        assertThat(SlicePattern.mismatch(segment, 42)).isEqualTo(at);
        segment.set(ValueLayout.JAVA_BYTE, at, was);
      }
    }
  }

  @Test
  void thePatternOfAnotherIdIsAnother() {
    MemorySegment segment = MemorySegment.ofArray(new byte[64]);
    for (long id = 0; id < 1000; id++) {
      SlicePattern.fill(segment, id);
      assertThat(SlicePattern.mismatch(segment, id + 1)).isBetween(0L, 7L);
    }
  }

  @Test
  void nothingIsWhole() {
    SlicePattern.fill(MemorySegment.NULL, 1);
    assertThat(SlicePattern.mismatch(MemorySegment.NULL, 1)).isEqualTo(-1);
  }
}
