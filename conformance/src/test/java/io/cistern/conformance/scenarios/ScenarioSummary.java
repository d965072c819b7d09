package io.cistern.conformance.scenarios;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** What came of all scenarios, for people: printed, and kept in {@code target}. */
final class ScenarioSummary {

  private static final Path FILE = Path.of("target", "scenarios-summary.txt");

  private final Map<String, String> lines = new TreeMap<>();
  private int passed;

  void ran(String scenario, Outcome outcome) {
    if (!outcome.faults().isEmpty()) {
      lines.put(scenario, "failed: " + outcome.faults());
      return;
    }
    passed++;
    String leftOut = outcome.leftOut().isEmpty() ? "" : ", not compared: " + outcome.leftOut();
    lines.put(scenario, "passed" + leftOut);
  }

  void write() {
    StringBuilder text = new StringBuilder();
    text.append("Scenarios: %d of %d passed%n".formatted(passed, lines.size()));
    lines.forEach((name, line) -> text.append("  %s: %s%n".formatted(name, line)));
    try {
      Files.createDirectories(FILE.getParent());
      Files.writeString(FILE, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    System.out.println(text);
  }
}
