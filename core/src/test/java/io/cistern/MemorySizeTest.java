package io.cistern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 4: sizes as text. */
class MemorySizeTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1024, 1024",
    "8KiB, 8192",
    "512 MB, 536870912",
    "1.5GiB, 1610612736",
    "64k, 65536",
    "2 TiB, 2199023255552",
    "1_048_576, 1048576",
    "' 7 B ', 7",
    "'\t1\tM\t', 1048576",
    "1mIb, 1048576",
    "0pib, 0",
    "1E, 1152921504606846976",
    "7EiB, 8070450532247928832",
    "8191PiB, 9222246136947933184",
    "9223372036854775807, 9223372036854775807",
    "0009223372036854775807, 9223372036854775807",
    "9007199254740993, 9007199254740993",
    ".5KiB, 512",
    "5.KiB, 5120",
    "0.0001KiB, 0",
    "1.9999999999999999999999999999999999999999KiB, 2047",
    "7.9999999999999999999EiB, 9223372036854775807",
    "1_0.2_5KiB, 10496"
  })
  void reads(String text, long bytes) {
    assertThat(MemorySize.parse(text)).isEqualTo(MemorySize.of(bytes));
  }

  @ParameterizedTest
  @CsvSource({
    "'', 0",
    "'   ', 3",
    "GiB, 0",
    "-1, 0",
    "-1MiB, 0",
    "' -0', 1",
    "+1, 0",
    "NaN, 0",
    "inf, 0",
    "1XiB, 1",
    "1iB, 1",
    "1KiBB, 1",
    "1KiB;, 4",
    "1MiB 2, 5",
    "1 2MiB, 2",
    "1.5, 1",
    "1.5B, 1",
    "1.9B, 1",
    "5., 1",
    "., 0",
    ".KiB, 0",
    "1.2.3KiB, 3",
    "1..2KiB, 2",
    "_1, 0",
    "1_, 1",
    "1__0, 1",
    "1_.5KiB, 1",
    "1._5KiB, 2",
    "1e3, 2",
    "0x10, 1",
    "8EiB, 0",
    "8192PiB, 0",
    "9223372036854775808, 0",
    "9007199254740993KiB, 0",
    "8.0EiB, 0",
    "٣, 0",
    "1\u00a0KiB, 1"
  })
  void refusesWithTextAndPosition(String text, int position) {
    var error = catchThrowableOfType(MemorySizeFormatException.class, () -> MemorySize.parse(text));
    assertThat(error).as("refused: %s", text).isNotNull();
    assertThat(error.text()).isEqualTo(text);
    assertThat(error.position()).isEqualTo(position);
    assertThat(error).hasMessageContaining("\"" + text + "\"");
  }

  @Test
  void refusesLongTextsWithoutArithmetic() {
    String ones = "1".repeat(400);
    assertThatThrownBy(() -> MemorySize.parse(ones))
        .isInstanceOf(MemorySizeFormatException.class)
        .hasMessageContaining(ones);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0B",
    "7, 7B",
    "1023, 1023B",
    "1024, 1KiB",
    "1536, 1536B",
    "67108864, 64MiB",
    "2147483648, 2GiB",
    "1152921504606846976, 1EiB",
    "9223372036854775807, 9223372036854775807B"
  })
  void printsTheLargestUnitThatDivides(long bytes, String text) {
    assertThat(MemorySize.of(bytes)).hasToString(text);
  }

  @Test
  void readsBackWhatItPrints() {
    Random random = new Random(4);
    for (int i = 0; i < 10_000; i++) {
      MemorySize size = MemorySize.of(random.nextLong(Long.MAX_VALUE) >>> random.nextInt(63));
      MemorySize even = MemorySize.of(size.bytes() & (-1L << random.nextInt(63)));
      assertThat(MemorySize.parse(size.toString())).isEqualTo(size);
      assertThat(MemorySize.parse(even.toString())).isEqualTo(even);
    }
  }

  @Test
  void arithmeticIsExact() {
    MemorySize one = MemorySize.of(1);
    assertThat(one.plus(MemorySize.ofKiB(1))).isEqualTo(MemorySize.of(1025));
    assertThat(MemorySize.ofMiB(2).times(3)).isEqualTo(MemorySize.of(6 << 20));
    assertThat(MemorySize.ofKiB(1).minus(one)).isEqualTo(MemorySize.of(1023));
    assertThat(MemorySize.ofGiB(2)).isGreaterThan(MemorySize.ofMiB(2047));
    assertThatThrownBy(() -> MemorySize.MAX.plus(one)).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> MemorySize.MAX.times(2)).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> one.minus(MemorySize.ofKiB(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, 1L << 33, Long.MAX_VALUE})
  void sizesStayInRange(long count) {
    assertThatThrownBy(() -> MemorySize.ofGiB(count))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Long.toString(count));
    if (count < 0) {
      assertThatThrownBy(() -> MemorySize.of(count)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
