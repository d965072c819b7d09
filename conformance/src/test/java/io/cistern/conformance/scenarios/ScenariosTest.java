package io.cistern.conformance.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.conformance.DataFolders;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Public reports retold: one test for each, whatever is in the folder. */
class ScenariosTest {

  private static final ScenarioSummary SUMMARY = new ScenarioSummary();

  @TestFactory
  Stream<DynamicTest> scenarios() {
    return DataFolders.scenarios().stream()
        .map(Scenario::read)
        .map(scenario -> DynamicTest.dynamicTest(scenario.name(), () -> check(scenario)));
  }

  private static void check(Scenario scenario) {
    Outcome outcome = ScenarioCheck.run(scenario);
    SUMMARY.ran(scenario.name(), outcome);
    assertThat(outcome.faults()).as(scenario.name()).isEmpty();
  }

  @AfterAll
  static void summarise() {
    SUMMARY.write();
  }
}
