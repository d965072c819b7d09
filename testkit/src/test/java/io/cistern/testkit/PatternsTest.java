package io.cistern.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class PatternsTest {

  @Test
  void aPatternIsFoundAgainAtEverySize() {
    for (int byteSize = 0; byteSize < 40; byteSize++) {
      MemorySegment segment = MemorySegment.ofArray(new byte[byteSize]);
      Patterns.write(segment, byteSize);
      assertThat(Patterns.firstMismatch(segment, byteSize)).isEmpty();
    }
  }

  @Test
  void everyChangedByteIsFound() {
    byte[] bytes = new byte[29];
    MemorySegment segment = MemorySegment.ofArray(bytes);
    for (int at = 0; at < bytes.length; at++) {
      Patterns.write(segment, 7);
      bytes[at]++;
      assertThat(Patterns.firstMismatch(segment, 7)).hasValue(at);
    }
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> Patterns.verify(segment, 7))
        .withMessage("byte 28 of 29 is not of pattern 7");
  }

  @Test
  void anotherSeedShowsEarly() {
    MemorySegment segment = MemorySegment.ofArray(new byte[64]);
    for (long seed = -1000; seed < 1000; seed++) {
      Patterns.write(segment, seed);
      assertThat(Patterns.firstMismatch(segment, seed + 1).orElseThrow()).isLessThan(8);
    }
  }
}
