package io.cistern.conformance.vectors;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What came of all vectors, for people: printed, and kept in {@code target}. */
final class Summary {

  private static final Path FILE = Path.of("target", "conformance-summary.txt");
  private static final Path OWN_FIGURES = Path.of("target", "own-figures.txt");

  private final Map<String, VectorCheck.Outcome> ran = new TreeMap<>();

  void ran(String vector, VectorCheck.Outcome outcome) {
    ran.put(vector, outcome);
  }

  void write() {
    try {
      Files.createDirectories(FILE.getParent());
      Files.writeString(FILE, text());
      Files.writeString(OWN_FIGURES, ownFigures());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    System.out.println(text());
  }

  private String text() {
    long passed = ran.values().stream().filter(outcome -> outcome.faults().isEmpty()).count();
    StringBuilder text = new StringBuilder();
    text.append(
        "Vectors: %d of %d passed, %d failed%n".formatted(passed, ran.size(), ran.size() - passed));
    text.append("%nFailed:%n".formatted());
    ran.forEach((name, outcome) -> outcome.faults().forEach(fault -> line(text, name, fault)));
    text.append("%nExcepted, and why:%n".formatted());
    ran.forEach((name, outcome) -> byReason(outcome).forEach(note -> line(text, name, note)));
    return text.toString();
  }

  /** The notes of a vector, those with one reason together. */
  private static List<String> byReason(VectorCheck.Outcome outcome) {
    Map<String, String> places = new LinkedHashMap<>();
    outcome
        .notes()
        .forEach(note -> places.merge(note.why(), note.where(), (all, one) -> all + ", " + one));
    List<String> lines = new ArrayList<>();
    places.forEach((why, where) -> lines.add(where + ": " + why));
    return lines;
  }

  private static void line(StringBuilder text, String name, String what) {
    text.append("  ").append(name).append(": ").append(what).append(System.lineSeparator());
  }

  /** The figures that do not bind, in the form of the list of exceptions. */
  private String ownFigures() {
    StringBuilder text = new StringBuilder();
    ran.forEach(
        (name, outcome) -> {
          if (outcome.ownFigures() != null) {
            text.append("{\"vector\": \"%s\", \"at\": %s}%n".formatted(name, outcome.ownFigures()));
          }
        });
    return text.toString();
  }
}
