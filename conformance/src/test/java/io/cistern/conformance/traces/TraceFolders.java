package io.cistern.conformance.traces;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where traces are: the project's own, and those of a folder that {@code cistern.traces} names. */
final class TraceFolders {

  private static final Path OWN = Path.of("..", "traces");

  private TraceFolders() {}

  /** The traces recorded by this project. */
  static List<Path> own() throws IOException {
    try (Stream<Path> files = Files.list(OWN)) {
      return files.filter(file -> file.toString().endsWith(".csv.gz")).sorted().toList();
    }
  }

  /** A trace by name, if it is here or in the named folder. */
  static Optional<Path> find(String name) {
    return Stream.of(OWN.toString(), System.getProperty("cistern.traces", ""))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, name + ".csv.gz"))
        .filter(Files::exists)
        .findFirst();
  }
}
