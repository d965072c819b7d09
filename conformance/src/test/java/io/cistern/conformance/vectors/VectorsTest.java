package io.cistern.conformance.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.conformance.DataFolders;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The recorded vectors of the reference: one test for each, whatever is in the folder. */
class VectorsTest {

  private static final Exceptions EXCEPTIONS = new Exceptions();
  private static final Summary SUMMARY = new Summary();

  @TestFactory
  Stream<DynamicTest> vectors() {
    return DataFolders.vectors().stream()
        .map(Vector::read)
        .map(vector -> DynamicTest.dynamicTest(vector.name(), () -> check(vector)));
  }

  private static void check(Vector vector) {
    VectorCheck.Outcome outcome = VectorCheck.run(vector, EXCEPTIONS);
    SUMMARY.ran(vector.name(), outcome);
    assertThat(outcome.faults()).as(vector.name()).isEmpty();
    assertThat(VectorCheck.run(vector, EXCEPTIONS).placements())
        .as("places in the second of two runs of %s", vector.name())
        .isEqualTo(outcome.placements());
  }

  @Test
  void boundsAreMissedByAPageInFiveVectorsAtMost() {
    var missed =
        EXCEPTIONS.bounds().stream()
            .filter(bound -> !bound.vector().startsWith("random_"))
            .toList();
    assertThat(missed).hasSizeLessThanOrEqualTo(5);
    assertThat(missed).allMatch(bound -> bound.pages() <= 1);
  }

  @AfterAll
  static void summarise() {
    SUMMARY.write();
  }
}
