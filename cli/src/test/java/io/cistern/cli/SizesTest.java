package io.cistern.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class SizesTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0B",
    "1023, 1023B",
    "1024, 1KiB",
    "1025, 1.00KiB",
    "1536, 1.5KiB",
    "1048064, 1.00MiB",
    "1047552, 1023KiB",
    "104857600, 100MiB",
    "1300234240, 1.21GiB",
    "9223372036854775807, 8.00EiB",
  })
  void sizesHaveThreeOrFourDigits(long bytes, String text) {
    assertThat(Sizes.shortSize(bytes)).isEqualTo(text);
    assertThat(text.length()).isLessThanOrEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "99999, 99999", "100000, 100k", "1234567, 1.23M", "999999, 1.00M"})
  void countsAreShort(long count, String text) {
    assertThat(Sizes.shortCount(count)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"500ms, 500", "3s, 3000", "2m, 120000", "1.5s, 1500", "1h, 3600000", "0s, 0"})
  void timesHaveUnits(String text, long millis) {
    assertThat(Converters.duration(text)).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "3", "s", "-1s", "3 days", "1e3s", "3,5s"})
  void otherTimesAreRefused(String text) {
    assertThatThrownBy(() -> Converters.duration(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("\"" + text + "\" is no time");
  }

  @Test
  void theWidestTableFits() {
    TextTable table = ReplayText.newTable();
    table.add(
        "253",
        "exclusive",
        "1023KiB",
        "1023KiB",
        "12345/12345",
        "99999",
        "1023KiB",
        "1023KiB",
        "1023KiB",
        "99999");
    assertThat(table.text().lines()).allMatch(line -> line.length() <= 80);
  }
}
