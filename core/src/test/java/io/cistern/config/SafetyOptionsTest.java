package io.cistern.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.MemorySize;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SafetyOptionsTest {

  @Test
  void wordsSwitchOn() {
    assertThat(
            SafetyOptions.parse(
                "check, poison,quarantine=64MiB,redzones=32,leaks=1,zero-on-allocate,zero-on-free"))
        .isEqualTo(
            SafetyOptions.OFF
                .withCheck(true)
                .withPoison(true)
                .withQuarantine(MemorySize.ofMiB(64))
                .withRedZones(MemorySize.of(32))
                .withLeaks(1)
                .withZeroOnAllocate(true)
                .withZeroOnFree(true));
  }

  @Test
  void wordsWithoutAValueHaveAUsualOne() {
    assertThat(SafetyOptions.parse("quarantine,redzones,leaks"))
        .isEqualTo(
            SafetyOptions.OFF
                .withQuarantine(MemorySize.ofMiB(16))
                .withRedZones(MemorySize.of(64))
                .withLeaks(SafetyOptions.USUAL_LEAKS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "off", " off ", "off,off"})
  void offIsOff(String words) {
    assertThat(SafetyOptions.parse(words)).isEqualTo(SafetyOptions.OFF);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "poisson | \"poisson\" is no word for safety; the words are off, check, poison,",
        "poison,check=1 | \"check=1\" is no word for safety",
        "leaks=many | \"leaks=many\": one handle in how many is a whole number from 0 on",
        "leaks=-1 | one handle in 0 or more is watched, not in -1",
        "quarantine=many | \"quarantine=many\": ",
        "quarantine= | \"quarantine=\": ",
        "redzones=1GiB | red zones have at most 1MiB, not 1GiB",
      })
  void anotherWordIsNamed(String words, String message) {
    assertThatThrownBy(() -> SafetyOptions.parse(words))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void thePropertyIsNamedWhereItCanNotBeRead() {
    String before = System.getProperty(SafetyOptions.PROPERTY);
    try {
      System.setProperty(SafetyOptions.PROPERTY, "leaks=1,no");
      assertThatThrownBy(SafetyOptions::ofProperty)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("the property cistern.safety: \"no\" is no word");
      System.setProperty(SafetyOptions.PROPERTY, "leaks=7");
      assertThat(SafetyOptions.ofProperty()).isEqualTo(SafetyOptions.OFF.withLeaks(7));
    } finally {
      if (before == null) {
        System.clearProperty(SafetyOptions.PROPERTY);
      } else {
        System.setProperty(SafetyOptions.PROPERTY, before);
      }
    }
  }
}
