package io.cistern.conformance.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormulaTest {

  @ParameterizedTest
  @CsvSource({
    "7, 7",
    "i, 5",
    "i%3, 2",
    "2*i+1, 11",
    "(2*i+1)%4, 3",
    "(100+(i*7)%51)*4096, 552960",
    "i-7, -2",
    "(i-7)/2, -1",
    "7/2*2, 6",
    "-i+6, 1",
    "10-3-2, 5"
  })
  void worksOutExpressions(String expression, long value) {
    assertThat(Formula.value(expression, Map.of("i", 5L))).isEqualTo(value);
  }

  @Test
  void fillsTexts() {
    assertThat(Formula.fill("b${i}_${k+1}", Map.of("i", 3L, "k", 4L))).isEqualTo("b3_5");
    assertThat(Formula.fill("plain", Map.of())).isEqualTo("plain");
  }

  @Test
  void refusesWhatItCantRead() {
    assertThatThrownBy(() -> Formula.value("(1", Map.of())).hasMessageContaining("position 2");
    assertThatThrownBy(() -> Formula.value("j", Map.of())).hasMessageContaining("variable j");
  }
}
